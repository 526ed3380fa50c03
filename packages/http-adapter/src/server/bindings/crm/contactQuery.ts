import type { ContactListRequest } from "@parley/domain/crm"
import type { ContactsQuery } from "../../../api/contactsQuery.ts"

const attribute = "attribute."

/** Returns the contact field parameters by field key. */
const attributesIn = (query: ContactsQuery): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      name.startsWith(attribute) && typeof value === "string" ? [[name.slice(attribute.length), value]] : []
    )
  )

/** Converts the query to the list request of the use case. */
export const listRequestOf = ({ tag = [], ...query }: ContactsQuery): ContactListRequest => ({
  ...query,
  tags: tag,
  attributes: attributesIn(query)
})
