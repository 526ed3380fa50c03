import { Context, Effect } from "effect"
import { CurrentActor, holds } from "./CurrentActor.ts"
import { PermissionDenied } from "./Errors.ts"
import { Permission } from "./Permission.ts"

/** Permissions of everything that a definition or a filter reaches. */
export type Needs = ReadonlySet<Permission>

export const allNeeds = (sets: Iterable<Iterable<Permission>>): Needs =>
  new Set(Array.from(sets).flatMap((set) => Array.from(set)))

/** Fails with the first permission, in catalog order, that the current actor does not hold. */
export const requireHeld = Effect.fnUntraced(function* (needs: Iterable<Permission>) {
  const actor = yield* CurrentActor
  const wanted = new Set(needs)
  const denied = Permission.literals.find((permission) => wanted.has(permission) && !holds(actor, permission))
  if (denied !== undefined) return yield* new PermissionDenied({ permission: denied })
})

/**
 * Proves that the running use case declares `actsThrough`. Only `useCase` provides it. A call of `requireReach` without the declaration does not
 * compile. A declaration without the call does not compile either.
 */
export class Reach extends Context.Service<Reach, { readonly useCase: string }>()("@parley/domain/kernel/Reach") {}

/** Fails unless the current actor holds all permissions that a definition reaches. Use cases call it for their definition. */
export const requireReach = (needs: Iterable<Permission>) => Effect.andThen(Reach, requireHeld(needs))
