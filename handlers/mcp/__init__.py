"""The same commands as tools for other agents, over the Model Context Protocol."""
