import type { AttributeValue, ContactField } from "../../../crm/index.ts"
import type { ContactPath } from "../ContactPath.ts"
import { readPath, type ValueContact } from "../readPath.ts"
import { timeOfDay } from "../Wording.ts"
import { LocalDay } from "./LocalDay.ts"

const asDay = (value: AttributeValue | null, type: ContactField["type"] | undefined) => {
  const time = type === "date" && typeof value === "string" ? timeOfDay(value) : null
  return typeof value === "string" && time !== null ? new LocalDay(value, time) : value
}

/** What a template may read of a contact: only what it names. What is empty is not there. */
export const scopeOf = (
  contact: ValueContact,
  named: ReadonlyArray<ContactPath>,
  types: ReadonlyMap<string, ContactField["type"]>
): object => {
  const attribute: Record<string, unknown> = Object.create(null)
  const scope: Record<string, unknown> = Object.create(null)
  scope["attribute"] = attribute
  for (const path of named) {
    const value = readPath(contact, path)
    if (path.key === undefined) scope[path.field] = value
    else attribute[path.key] = asDay(value, types.get(path.key))
  }
  return scope
}
