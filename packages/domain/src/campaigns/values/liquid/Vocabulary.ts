import { type ContactPath, textOfPath } from "../ContactPath.ts"
import { ValueField } from "../Value.ts"

/** What a text may name. */
export interface Vocabulary<Path> {
  /** The path of these names; `null` if there is none. */
  readonly read: (names: ReadonlyArray<string>) => Path | null
  /** The same for the same path. */
  readonly keyOf: (path: Path) => string
  /** What may be named, in words. */
  readonly expected: string
  /** Of what that is. */
  readonly of: string
}

/** Each path once. */
export const distinct = <Path>(paths: ReadonlyArray<Path>, { keyOf }: Vocabulary<Path>): ReadonlyArray<Path> =>
  Array.from(new Map(paths.map((path) => [keyOf(path), path])).values())

const fields: ReadonlySet<string> = new Set(ValueField.literals)
const isField = (name: string): name is ValueField => fields.has(name)

/** What the values of broadcasts may name of a contact. */
export const ofContact: Vocabulary<ContactPath> = {
  read: ([field, key, ...others]) => {
    if (field === undefined || !isField(field) || others.length > 0) return null
    if (field !== "attribute") return key === undefined ? { field } : null
    return key === undefined ? null : { field, key }
  },
  keyOf: textOfPath,
  expected: `${ValueField.literals.slice(0, -1).join(", ")} or attribute.key`,
  of: "the contact"
}
