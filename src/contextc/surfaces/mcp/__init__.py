"""contextc as an MCP server: `tools` projects the registry, `server` answers, `run` speaks over stdio or HTTP."""
