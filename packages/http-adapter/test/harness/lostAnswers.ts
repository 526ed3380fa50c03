import { CurrentRequest, IdempotencyKeys, Transaction, UnitOfWork } from "@parley/domain/kernel"
import { Context, Effect, Layer } from "effect"

/**
 * Does something for requests whose id begins so: right after the commit that keeps their answer, before anything is
 * sent.
 */
export const layerBetweenCommitAndAnswer = (prefix: string, happens: Effect.Effect<void>) => {
  const kept = new Set<string>()
  const isMarked = (id: string | null): id is string => id !== null && id.startsWith(prefix)

  const layerKeys = Layer.effect(
    IdempotencyKeys,
    Effect.map(IdempotencyKeys, (keys) =>
      IdempotencyKeys.of({
        ...keys,
        store: (owner, claim, response) =>
          Effect.flatMap(CurrentRequest, ({ id }) => {
            if (isMarked(id)) kept.add(id)
            return keys.store(owner, claim, response)
          })
      })
    )
  )

  const layerUnits = Layer.effect(
    UnitOfWork,
    Effect.map(UnitOfWork, (unit) =>
      UnitOfWork.of({
        transact: (effect) =>
          Effect.contextWith((context: Context.Context<never>) => {
            const { id } = Context.get(context, CurrentRequest)
            const isNested = Context.getOrUndefined(context, Transaction) !== undefined
            const done = unit.transact(effect)
            return isNested || !isMarked(id) ? done : Effect.tap(done, () => (kept.has(id) ? happens : Effect.void))
          })
      })
    )
  )

  return Layer.merge(layerKeys, layerUnits)
}
