import { type SigningKeyRecord, SigningKeys } from "@parley/domain/platform"
import { DateTime, Effect, Layer, Order } from "effect"
import { Store } from "../../store/Store.ts"

const newestFirst: Order.Order<SigningKeyRecord> = Order.flip(
  Order.mapInput(DateTime.Order, ({ createdAt }) => createdAt)
)

export const layer = Layer.effect(
  SigningKeys,
  Effect.map(Store, (store) =>
    SigningKeys.of({
      all: store.read(({ signingKeys }) => signingKeys.toSorted(newestFirst)),
      insert: (key) => store.write((state) => [undefined, { ...state, signingKeys: [...state.signingKeys, key] }]),
      insertFirst: (key) =>
        store.write((state) => [undefined, state.signingKeys.length > 0 ? state : { ...state, signingKeys: [key] }])
    })
  )
)
