import type { Ports } from "@parley/domain/composition"
import type { Effect } from "effect"
import type { Call } from "./Http.ts"
import type { Person, Tenant } from "./tenants.ts"

/** Caller and organization of a request. */
export interface Caller {
  readonly tenant: Tenant
  readonly person: Person
}

/** A request that the service accepts. */
export interface ValidRequest extends Call {
  readonly path: string
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string>>
}

/** `id` is the first path parameter, `params` holds the other path parameters, `query` is the query string. */
export type Ingredients = Omit<ValidRequest, "path"> & { readonly id?: string; readonly query?: string }

/** Creates the dependencies of a request. */
export type Recipe = (caller: Caller) => Effect.Effect<Ingredients, never, Ports>
