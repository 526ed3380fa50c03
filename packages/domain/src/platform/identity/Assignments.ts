import { Context, type DateTime, Effect, Layer } from "effect"
import { withContext, type Tenancy, type TenantScoped, type Transaction, type UserId } from "../../kernel/index.ts"

/** What an area gives members to look after, and what becomes of it when they cannot any more. */
export interface Assignment<R> {
  /**
   * Unassigns everything that is assigned to this user, and appends the events. Whoever hands something to them at the same time
   * has locked the member first, so that nothing is missed once the member has changed in this unit of work.
   */
  readonly release: (userId: UserId, now: DateTime.Utc) => Effect.Effect<void, never, R>
}

/** What members look after, in all areas. */
export class Assignments extends Context.Service<
  Assignments,
  TenantScoped<{
    /** Leaves everything that this user looks after to nobody. */
    readonly release: (userId: UserId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/identity/Assignments") {}

type Needs<A> = A extends Assignment<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Puts together what the areas give members to look after. */
export const layerAssignmentsOf = <A extends Assignment<unknown>>(
  assignments: ReadonlyArray<A>
): Layer.Layer<Assignments, never, Needs<A>> =>
  Layer.effect(
    Assignments,
    Effect.contextWith((outside: Context.Context<Needs<A>>) => {
      const supply = withContext<Tenancy | Transaction>(outside)
      return Effect.succeed(
        Assignments.of({
          release: (userId, now) =>
            Effect.forEach(assignments, ({ release }) => supply(release(userId, now)), { discard: true })
        })
      )
    })
  )
