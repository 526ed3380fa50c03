import type { AttributeValue } from "../../crm/index.ts"
import type { ContactPath } from "./ContactPath.ts"

/** What values are made of. */
export interface ValueContact {
  readonly name: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly locale: string | null
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** The first word of a name: nobody who has a name is without one. */
const firstWord = (name: string) => name.trim().split(/\s+/u, 1)[0] ?? null

const found = ({ attributes, email, locale, name, phone }: ValueContact, { field, key }: ContactPath) => {
  switch (field) {
    case "name":
      return name
    case "firstName":
      return name === null ? null : firstWord(name)
    case "phone":
      return phone
    case "email":
      return email
    case "locale":
      return locale
    case "attribute":
      return key !== undefined && Object.hasOwn(attributes, key) ? (attributes[key] ?? null) : null
  }
}

/** What the contact has there; `null` if that is empty. */
export const readPath = (contact: ValueContact, path: ContactPath): AttributeValue | null => {
  const value = found(contact, path)
  return typeof value === "string" && value.trim() === "" ? null : value
}
