import { existsSync } from "node:fs"
import { areas, type Role } from "@parley/domain"

/** What an area promises of its use cases, in tables that are shown as they stand. */
export interface Promised {
  /** Who may run each, and which of them a plan may lack. */
  readonly policy: string
  /** What comes of each for whom. */
  readonly access: string
  /** The rows that are others on the plan `free`. */
  readonly accessOnFree?: string
  /** As on the plan free, for what only the largest plan has. */
  readonly accessOnGrowth?: string
  /** What each leaves in the audit trail and in the event log. */
  readonly trails?: string
  /** Those that write nothing about which a trail could say more than the log of requests. */
  readonly traceless?: ReadonlyArray<string>
  /** Those that take or give secrets. */
  readonly withSecrets?: ReadonlyArray<string>
  /** Events that a role may not see in the feed, by the role. */
  readonly hiddenEvents?: Partial<Record<Role, ReadonlyArray<string>>>
}

/** What the areas say in files of this name, in their folders here. An area that has no use cases has none. */
export const ofAreas = <Said>(file: string): Promise<ReadonlyArray<Said>> =>
  Promise.all(
    areas
      .map(({ name }) => new URL(`./${name}/${file}`, import.meta.url))
      .filter((url) => existsSync(url))
      .map((url) => import(url.href))
  )

const promises = (await ofAreas<{ readonly promised: Promised }>("promised.ts")).map(({ promised }) => promised)

/** The rows of tables of all areas, by the use case they are about. A later row of a use case takes the place of an earlier. */
export const rowsOf = (
  tables: (promised: Promised) => ReadonlyArray<string | undefined>
): ReadonlyArray<ReadonlyArray<string>> => {
  const rows = promises
    .flatMap(tables)
    .flatMap((table = "") => table.trim().split("\n").slice(1))
    .map((line) => line.split("|").map((cell) => cell.trim()))
  return [...new Map(rows.map((row) => [row[0] ?? "", row])).values()].toSorted(byName)
}

const byName = ([one = ""]: ReadonlyArray<string>, [other = ""]: ReadonlyArray<string>) => (one < other ? -1 : 1)

/** The names of use cases or events that areas list. */
export const namesOf = (list: (promised: Promised) => ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  promises.flatMap((promised) => list(promised) ?? []).toSorted()
