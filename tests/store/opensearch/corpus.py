"""Own a corpus of dated, replaced, ended and withdrawn documents, large enough that legs are cut."""

from random import Random

from tests.reranker.handbook import Row

SUBJECTS = (
    "refund payment invoice travel booking leave holiday salary parking badge laptop backup server outage mail network "
    "password token release upgrade policy contract supplier audit canteen library office desk meeting calendar search"
).split()
VERBS = "takes needs allows requires includes covers replaces ends starts changes".split()
OBJECTS = (
    "days weeks hours approval a form two signatures the desk a ticket the manager a receipt the portal no reason "
    "an appointment a badge the old rule a new rule"
).split()


def documents(seed: int, count: int) -> list[Row]:
    """Return readings of documents over ten years: most are replaced, some share a series or have an end."""
    rng = Random(seed)
    rows: list[Row] = []
    for number in range(count):
        subject, other = rng.sample(SUBJECTS, 2)
        kind, content_type = rng.choice([("VERSIONED", "policy"), ("STATIC", "reference"), ("EVENT", "incident")])
        for _ in range(rng.choice([1, 1, 2, 3])):
            day = f"{rng.randrange(2015, 2024)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
            metadata = {"date": day, "type": content_type, "kind": kind}
            if rng.random() < 0.15:
                metadata["expires"] = f"{int(day[:4]) + 1}{day[4:]}"
            if rng.random() < 0.1:
                metadata["principals"] = ["hr"]
            if rng.random() < 0.2:
                metadata["series"] = f"series {number % 40}"
            rows.append((f"doc{number}", f"{subject} and {other}".capitalize(), _text(rng, subject, other), metadata))
    return rows


def questions(seed: int, count: int) -> list[str]:
    """Return questions in the words of the documents."""
    rng = Random(seed)
    cues = ("", "", "latest ", "current ", "is the ")
    return [f"{rng.choice(cues)}{' '.join(rng.sample(SUBJECTS, 2))} {rng.choice(VERBS)}" for _ in range(count)]


def _text(rng: Random, subject: str, other: str) -> str:
    sentences = []
    for _ in range(rng.randrange(2, 9)):
        about = rng.choice([subject, other, rng.choice(SUBJECTS)])
        sentences.append(f"The {about} {rng.choice(VERBS)} {' '.join(rng.sample(OBJECTS, 3))}.")
    return " ".join(sentences)
