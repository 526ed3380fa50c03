/** The path with more of a query, whether it has some or not. */
export const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`
