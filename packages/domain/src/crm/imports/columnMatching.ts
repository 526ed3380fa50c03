import type { ContactField } from "../ContactFields.ts"
import { attributePrefix, type ImportTarget, isExportOnlyColumn, contactTargets } from "./ContactImport.ts"

/** Normalizes a column name: without case, accents, spaces, hyphens and underscores. Names with equal results are the same. */
const normalizeColumn = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F]/gu, "")
    .toLowerCase()
    .replaceAll(/[\s_\p{Dash_Punctuation}]/gu, "")

/** Common column names of contact fields. The guide to imports prints this table. */
export const headerAliases = {
  name: ["Full name", "Contact name", "Vollständiger Name", "Nombre completo", "Nom complet", "Nome completo"],
  firstName: ["First name", "Given name", "Forename", "Vorname", "Prénom"],
  lastName: [
    "Last name",
    "Family name",
    "Surname",
    "Nachname",
    "Familienname",
    "Apellido",
    "Apellidos",
    "Nom de famille",
    "Sobrenome",
    "Cognome"
  ],
  phone: [
    "Phone number",
    "Telephone",
    "Telephone number",
    "Tel",
    "Tel.",
    "Mobile",
    "Mobile number",
    "Mobile phone",
    "Cell phone",
    "WhatsApp",
    "WhatsApp number",
    "Telefon",
    "Telefonnummer",
    "Handy",
    "Handynummer",
    "Mobil",
    "Mobilnummer",
    "Mobiltelefon",
    "Rufnummer",
    "Teléfono",
    "Móvil",
    "Celular",
    "Téléphone",
    "Portable",
    "Telefone",
    "Telefono",
    "Cellulare"
  ],
  email: [
    "E-mail address",
    "Mail",
    "Mail address",
    "E-Mail-Adresse",
    "Mailadresse",
    "Correo",
    "Correo electrónico",
    "Adresse e-mail",
    "Courriel",
    "Endereço de e-mail",
    "Indirizzo e-mail"
  ],
  timezone: ["Time zone", "Zeitzone"],
  external: ["External id", "Externe ID"],
  tags: ["Tag", "Labels", "Schlagwörter", "Etiketten", "Etiquetas", "Étiquettes", "Etichette"]
} as const satisfies Partial<Record<ImportTarget, ReadonlyArray<string>>>

/** Column names for a full name that mean one part of it if another column has the other part. */
export const partialNameHeaders = {
  firstName: ["Nombre", "Nome"],
  lastName: ["Nom"]
} as const satisfies Partial<Record<ImportTarget, ReadonlyArray<string>>>

/** Column with its possible targets by name: none, one, or several for an ambiguous name. */
export interface ColumnMatch {
  readonly column: string
  readonly targets: ReadonlyArray<ImportTarget>
}

type NamedTarget = readonly [name: string, target: ImportTarget]

type TargetLookup = (column: string) => ReadonlyArray<ImportTarget>

const lookup = (named: ReadonlyArray<NamedTarget>, spell: (name: string) => string): TargetLookup => {
  const targets = new Map<string, Array<ImportTarget>>()
  for (const [name, target] of named) {
    const key = spell(name)
    const others = targets.get(key) ?? []
    if (key !== "" && !others.includes(target)) targets.set(key, [...others, target])
  }
  return (column) => targets.get(spell(column)) ?? []
}

const exact = (name: string) => name.trim()

const toNamedTargets = (table: Partial<Record<ImportTarget, ReadonlyArray<string>>>): ReadonlyArray<NamedTarget> =>
  Object.entries(table).flatMap(([target, names = []]) => names.map((name): NamedTarget => [name, target]))

const aliasTargets = toNamedTargets(headerAliases)

const namePartTargets = toNamedTargets(partialNameHeaders)

const wholeNameTargets = namePartTargets.map(([name]): NamedTarget => [name, "name"])

/** Resolves a full name column next to a part column as the other part: Nombre with Apellidos, Nom with Prénom. */
const resolveNameParts = (matches: ReadonlyArray<ColumnMatch>, halfOf: TargetLookup): ReadonlyArray<ColumnMatch> => {
  const filled = new Set(matches.flatMap(({ targets }) => targets))
  return matches.map((match) => {
    const [half] = halfOf(match.column)
    const other = half === "firstName" ? "lastName" : "firstName"
    const isHalf = half !== undefined && match.targets[0] === "name" && filled.has(other)
    return isHalf ? { ...match, targets: [half] } : match
  })
}

/** Finds possible targets of columns by name. The first match wins: target name, key of a custom field, its label, common column name. */
export const matchColumns = (
  columns: ReadonlyArray<string>,
  fields: ReadonlyArray<ContactField>
): ReadonlyArray<ColumnMatch> => {
  const plain = contactTargets.map((target): NamedTarget => [target, target])
  const prefixed = fields.map(({ key }): NamedTarget => [`${attributePrefix}${key}`, `${attributePrefix}${key}`])
  const keys = fields.map(({ key }): NamedTarget => [key, `${attributePrefix}${key}`])
  const labels = fields.map(({ key, name }): NamedTarget => [name, `${attributePrefix}${key}`])
  const lookups = [
    lookup([...plain, ...prefixed], exact),
    lookup([...plain, ...prefixed], normalizeColumn),
    lookup(keys, exact),
    lookup(keys, normalizeColumn),
    lookup(labels, normalizeColumn),
    lookup([...aliasTargets, ...wholeNameTargets], normalizeColumn)
  ]
  const targetsOf = (column: string): ReadonlyArray<ImportTarget> => {
    if (isExportOnlyColumn(column)) return []
    for (const find of lookups) {
      const targets = find(column)
      if (targets.length > 0) return targets
    }
    return []
  }
  return resolveNameParts(
    columns.map((column) => ({ column, targets: targetsOf(column) })),
    lookup(namePartTargets, normalizeColumn)
  )
}
