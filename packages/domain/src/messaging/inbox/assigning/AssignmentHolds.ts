import { Context, Effect, Layer } from "effect"
import { type Tenancy, type TenantScoped, withContext } from "../../../kernel/index.ts"

/** How an area says whether it wants nothing handed out now. */
export interface AssignmentHold<R> {
  readonly isHeld: Effect.Effect<boolean, never, R>
}

/** Whether any area wants no conversation handed out by itself now: a port of the inbox, which those above fill. */
export class AssignmentHolds extends Context.Service<
  AssignmentHolds,
  TenantScoped<{ readonly isHeld: () => Effect.Effect<boolean> }>
>()("@parley/domain/messaging/inbox/AssignmentHolds") {}

type Needs<Hold> = Hold extends AssignmentHold<infer R> ? Exclude<R, Tenancy> : never

/** Puts together what the areas say. */
export const layerAssignmentHoldsOf = <Hold extends AssignmentHold<unknown>>(
  holds: ReadonlyArray<Hold>
): Layer.Layer<AssignmentHolds, never, Needs<Hold>> =>
  Layer.effect(
    AssignmentHolds,
    Effect.contextWith((outside: Context.Context<Needs<Hold>>) => {
      const supply = withContext<Tenancy>(outside)
      return Effect.succeed(
        AssignmentHolds.of({
          isHeld: () =>
            Effect.map(
              Effect.forEach(holds, ({ isHeld }) => supply(isHeld)),
              (held) => held.includes(true)
            )
        })
      )
    })
  )
