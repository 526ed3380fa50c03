import { listAt, objectAt, refuse, textAt, textIfAny } from "../checks.ts"

const nameParts = ["first_name", "last_name", "middle_name", "suffix", "prefix"] as const

const lists: Readonly<Record<string, ReadonlyArray<string>>> = {
  phones: ["phone", "type", "wa_id"],
  emails: ["email", "type"],
  addresses: ["street", "city", "state", "zip", "country", "country_code", "type"],
  urls: ["url", "type"]
}

/** Checks shared contacts: only the formatted name is required. */
export const checkContacts = (value: unknown) => {
  for (const each of listAt(value, "contacts", 257)) {
    const contact = objectAt(each, "contact", ["name", "org", "birthday", ...Object.keys(lists)])
    const name = objectAt(contact["name"], "name", ["formatted_name", ...nameParts])
    textAt(name["formatted_name"], "name.formatted_name", 1_000)
    for (const part of nameParts) textIfAny(name[part], part, 1_000)
    for (const [list, keys] of Object.entries(lists)) {
      for (const entry of listAt(contact[list] ?? [], list, 100, 0)) {
        for (const [key, text] of Object.entries(objectAt(entry, list, keys))) textIfAny(text, `${list}.${key}`, 1_000)
      }
    }
    if (contact["org"] !== undefined) objectAt(contact["org"], "org", ["company", "department", "title"])
    const birthday = textIfAny(contact["birthday"], "birthday", 10)
    if (birthday !== null && !/^\d{4}-\d{2}-\d{2}$/u.test(birthday))
      refuse(131_009, "Param birthday must be YYYY-MM-DD.")
  }
}
