import { Effect, Schema } from "effect"
import { availableParallelism } from "node:os"
import type { Settings } from "../settings.ts"

/** What one of several processes does: it answers calls, or does what is to be done in the background. */
const Role = Schema.Literals(["api", "worker"])
export type Role = typeof Role.Type

/** One of several processes, and what it is called: `api-1`. */
export interface Post {
  readonly role: Role
  /** Which of those with its role, from 1 on. */
  readonly number: number
  readonly name: string
}

/** The variable that tells a process which of several it is. */
export const postVariable = "PARLEY_PROCESS"

/** So many processes of a role, by their names. */
export const posts = (role: Role, count: number): ReadonlyArray<Post> =>
  Array.from({ length: count }, (_, index) => ({ role, number: index + 1, name: `${role}-${index + 1}` }))

const nameOf = /^(?<role>api|worker)-(?<number>\d{1,3})$/

/** Which of several processes has this name; `null` if none has. */
export const postOf = (name: string): Post | null => {
  const { number, role } = nameOf.exec(name)?.groups ?? {}
  return role === "api" || role === "worker" ? { role, number: Number(number), name } : null
}

/** How many processes there shall be. */
export const processCount = ({ processes }: Settings): Effect.Effect<number> =>
  Effect.sync(() => (processes.value === "auto" ? availableParallelism() : processes.value))
