import { Context, Effect } from "effect"
import { CurrentActor, holds } from "./CurrentActor.ts"
import { PermissionDenied } from "./Errors.ts"
import { Permission } from "./Permission.ts"

/** The permissions that protect everything a definition or a filter reaches. */
export type Needs = ReadonlySet<Permission>

/** All permissions of several sets. */
export const allNeeds = (sets: Iterable<Iterable<Permission>>): Needs =>
  new Set(Array.from(sets).flatMap((set) => Array.from(set)))

/** Fails with the first permission, in the order of the catalogue, that the current actor does not hold. */
export const requireHeld = Effect.fnUntraced(function* (needs: Iterable<Permission>) {
  const actor = yield* CurrentActor
  const wanted = new Set(needs)
  const denied = Permission.literals.find((permission) => wanted.has(permission) && !holds(actor, permission))
  if (denied !== undefined) return yield* new PermissionDenied({ permission: denied })
})

/**
 * Proves that the running use case declares `actsThrough`. Only `useCase` provides it. A use case that calls `requireReach` without the
 * declaration does not compile, and neither does a declaration without the call.
 */
export class Reach extends Context.Service<Reach, { readonly useCase: string }>()("@parley/domain/kernel/Reach") {}

/** Fails unless the current actor holds all that a definition reaches. Use cases call it on the definition that they act on. */
export const requireReach = (needs: Iterable<Permission>) => Effect.andThen(Reach, requireHeld(needs))
