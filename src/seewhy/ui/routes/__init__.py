"""The routes of the API, by what they are about; a handler takes the page and the request."""
