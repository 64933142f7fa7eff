"""Where documents come from; each module here turns one kind of source into `RawItem`s."""
