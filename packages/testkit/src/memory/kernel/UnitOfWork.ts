import { Transaction, UnitOfWork } from "@parley/domain/kernel"
import { Effect, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  UnitOfWork,
  Effect.map(Store, (store) =>
    UnitOfWork.of({ transact: (effect) => store.transact(Effect.provideService(effect, Transaction, {})) })
  )
)
