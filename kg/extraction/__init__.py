"""Papers to extractions: what each paper names, what part it plays, and which numbers it reports.

    paper ─ clean ─▶ doc ─ sentences ─ tagger ─▶ mentions ─ abbreviations, entities ─▶ entities with roles ─▶ results

`pipeline` is the way in; what it needs is imported there, so that `pieces` and `decode` can be used without spaCy.
"""
