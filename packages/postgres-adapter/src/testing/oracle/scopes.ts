/** The role that the oracle works as: bound by row level security, unlike the owner of the tables. */
export const oracleRole = "parley_oracle"

/** Outside of any organization: the rows of all of them, but no twins. */
export const outside = "*"

/** Without a limit: here a statement shows what it would reach if nothing held it back. */
export const everywhere = "**"

/** All rows but those of one organization: here a statement of that organization must find what it finds nowhere. */
export const elsewhere = (organization: string) => `!${organization}`

/** No rows at all. */
export const nowhere = "-"
