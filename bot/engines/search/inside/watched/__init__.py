"""Goes on the path of what watched tests start: nothing but `sitecustomize`."""
