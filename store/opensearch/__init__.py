"""Own the engine that keeps an index on an OpenSearch cluster, 2.19 or 3: dated indices, records, one control document.

What lies there is `mappings.templates`; which index a passage lies in, and which are asked, is `mappings.names`.
"""
