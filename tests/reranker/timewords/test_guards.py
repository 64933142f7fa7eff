"""What is no time although it looks like one: numbers, names, verbs, subjects, code."""

import pytest

from tests.reranker.timewords.reading import ask, one, said

NUMBERS = """RFC 2822; ISO 8601 in JSON; port 2019; error 2003; section 2019; PEP 2026; HTTP 2020; CVE-2021-44228
errno 1990; room 2014; ticket 20230; invoice 2021-0042; PO number 2018; KB5005565; ORA-02019; batch size 2048
top 2000 customers; $2000 limit; €1999; 2000 EUR; 2 000 requests per second; 1,000 rows; vectors in 2048 dims
in 2019 requests; in 2000 pieces; deliver 2000 pieces; up to 2000 requests; within 1500 words; by 2000 percent
around 2000 requests; over 2000; 16:9; 24/7 support; 1/2 cup; 9 to 5 job
1-2-3 backup rule; 4-4-5 calendar; 555-1212; 20-30-12; 25:12; 02/29/2022
192.168.20.15; listen on 0.0.0.0:2024; 2001:db8::1 prefix; 1.2.2012 build; v2.0.1; python 3.12; 3.12; before 3.12
since v4; in Windows 10; 2015-05-01-preview; api-version=2021-04-01; in 3 days; 10 days; 30-day trial; TTL of 24 hours
within 14 days of purchase; keep backups for 30 days; rows 2014-2018; since 2050; year 2038 problem; feb 30 2023
the year 2000 problem; in 2K; call 0800 123 4567; 6358fe2310"""
SUBJECTS = """the 2020 budget; in the 2020 budget; SQL Server 2019; Windows Server 2016 patch; iOS 17; Office 365; C++17
ES2015 modules; Ubuntu 22.04 LTS; Unity 2021.3 LTS; Blade Runner 2049; 2001: A Space Odyssey; 1984 by George Orwell
Moto G (2024); Windows 10 21H2; MATLAB R2021b; who won the 2018 world cup; Docker Engine 19.03 end of life"""
WORDS = """how may I reset my password; may we share data; she may email you; log in may fail; you may retry 2 times
march of progress; march madness; the sat solver; sun microsystems; on Sun servers; mon command ceph; dec alpha
jan package manager; april fools style; second opinion; second node; spring a leak; when will the fall release ship
end of life policy; end of the; day after day; have a great month; sale by year; weekly report; group by week
up-to-date; point in time; time to live; today's date function in SQL; now() function; date math now-1d
there is no week 00; in week 32; last second; on 2019
the year of mention; first primary shard; last name; past participle; as of clause syntax
between nodes; since field is null; after commit hook; until loop; from scratch; in real time; the first day of the week
at the end of the day; in October every year; over the last 5m; codons 1445-1580; the 2019-2020 season"""


def _rows(table: str) -> list[str]:
    return [row.strip() for line in table.splitlines() for row in line.split(";") if row.strip()]


@pytest.mark.parametrize("text", _rows(NUMBERS) + _rows(SUBJECTS) + _rows(WORDS))
def test_no_time_is_read(text):
    """Nothing is read, and the question is handed on as it was written."""
    assert said(text) == []
    assert ask(text).rest == text


@pytest.mark.parametrize("text", _rows(NUMBERS) + _rows(SUBJECTS) + _rows(WORDS))
def test_a_time_beside_it_is_still_read(text):
    """A guard protects its own words, not the question: what else says when is read."""
    assert one(f"as of 2023-05-01: {text}") == ("as_of", "2023-05-01", "2023-05-02")


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("what changed in May", ["2025-05-01"]),
        ("contractors may work in May", ["2025-05-01"]),
        ("In May we shipped", ["2025-05-01"]),
        ("may 5, 2023 outage", ["2023-05-05"]),
        ("outage on May 5", ["2025-05-05"]),
        ("in march", ["2025-03-01"]),
        ("since august", ["2024-08-01"]),
    ],
)
def test_months_that_are_words(text, months):
    """A month that is a verb or a name elsewhere is read where it stands as a month."""
    assert [start for _, start, _ in said(text)] == months
