"""The page of `seewhy ui`: a server with a JSON API (docs/page-api.md), and one worker process that owns the models."""
