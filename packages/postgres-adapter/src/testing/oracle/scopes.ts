/** The oracle's database role. Row level security applies to it, unlike to the owner of the tables. */
export const oracleRole = "parley_oracle"

/** Outside of any organization: the rows of all organizations, without twins. */
export const outside = "*"

/** Without a limit: shows the rows that a statement reaches if nothing restricts it. */
export const everywhere = "**"

/** All rows except the rows of one organization. A statement of that organization must return the same here as on no rows. */
export const elsewhere = (organization: string) => `!${organization}`

export const nowhere = "-"
