import { Effect } from "effect"
import type { Cluster } from "../postgres/cluster.ts"
import { check, type Check } from "../verdict.ts"
import type { Wish } from "./calls.ts"

interface Stored {
  readonly name: string
  readonly id: string
}

/** The stored contacts, read from the database without the service. */
export const readStored = (database: Cluster) =>
  Effect.map(
    database.query("SELECT name, id FROM contacts WHERE name LIKE 'Wish %' ORDER BY id"),
    (rows): ReadonlyArray<Stored> =>
      rows
        .split("\n")
        .filter(Boolean)
        .map((row) => {
          const [name = "", id = ""] = row.split("|")
          return { name, id }
        })
  )

/** Compares the stored data with the answers to the caller. */
export const checkWishes = (wishes: ReadonlyArray<Wish>, stored: ReadonlyArray<Stored>) => {
  const byName = Map.groupBy(stored, ({ name }) => name)
  const found = (name: string) => byName.get(name) ?? []
  const of = (state: Wish["state"]) => wishes.filter((wish) => wish.state === state)
  const known = new Set(wishes.map(({ name }) => name))
  const checks: ReadonlyArray<Check> = [
    check("acknowledged writes are stored once", of("taken"), ({ id, name }) => {
      const there = found(name)
      return there.length === 1 && there[0]?.id === id
        ? null
        : `${name} is there ${there.length} times, acknowledged as ${id}`
    }),
    check("refused writes are not stored", of("refused"), ({ name }) =>
      found(name).length === 0 ? null : `${name} is there ${found(name).length} times`
    ),
    check("writes with an unknown result are stored at most once", of("unknown"), ({ name }) =>
      found(name).length <= 1 ? null : `${name} is there ${found(name).length} times`
    ),
    check("no unrequested write is stored", byName.keys(), (name) => (known.has(name) ? null : `${name} is there`))
  ]
  const unknown = of("unknown")
  return {
    checks,
    unknown: unknown.length,
    unknownStored: unknown.filter(({ name }) => found(name).length > 0).length
  }
}
