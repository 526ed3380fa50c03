import { Effect, Schema } from "effect"
import { availableParallelism } from "node:os"
import type { Settings } from "../readSettings.ts"

/** Role of a process: serves the API, or runs background tasks. */
const Role = Schema.Literals(["api", "worker"])
export type Role = typeof Role.Type

/** One of several processes, with a name such as `api-1`. */
export interface Post {
  readonly role: Role
  /** Number within the role, from 1. */
  readonly number: number
  readonly name: string
}

/** Variable that contains the name of the process. */
export const postVariable = "PARLEY_PROCESS"

/** Lists the posts of a role. */
export const posts = (role: Role, count: number): ReadonlyArray<Post> =>
  Array.from({ length: count }, (_, index) => ({ role, number: index + 1, name: `${role}-${index + 1}` }))

const nameOf = /^(?<role>api|worker)-(?<number>\d{1,3})$/

/** Returns the post with this name; `null` if none. */
export const postOf = (name: string): Post | null => {
  const { number, role } = nameOf.exec(name)?.groups ?? {}
  return role === "api" || role === "worker" ? { role, number: Number(number), name } : null
}

/** Number of processes to run. */
export const processCount = ({ processes }: Settings): Effect.Effect<number> =>
  Effect.sync(() => (processes.value === "auto" ? availableParallelism() : processes.value))
