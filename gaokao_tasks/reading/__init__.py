"""What a careful reader does with a reply, step by step. `gaokao_tasks.extraction.robust_letters` puts it together.

`reply_text` reduces the reply to plain text; `verdicts` and `option_statements` find what it says of its answer and of
each option; `choice` settles on the answer to one question, `blanks` on one answer per blank.
"""
