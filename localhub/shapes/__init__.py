"""Our state in GitHub's JSON shapes, by topic; all pure."""
