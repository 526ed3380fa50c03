import { ButtonTaps } from "@parley/domain/campaigns"
import { Effect, HashMap, Layer, Option } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  ButtonTaps,
  Effect.map(Store, (store) =>
    ButtonTaps.of({
      add: (taps) =>
        store.writeTenant(({ buttonTaps }) => [
          undefined,
          {
            buttonTaps: taps.reduce((all, { broadcastId, button, count, variant }) => {
              const known = Option.getOrElse(HashMap.get(all, broadcastId), () => [])
              const same = known.find((each) => each.variant === variant && each.button === button)
              const others = known.filter((each) => each !== same)
              return HashMap.set(all, broadcastId, [...others, { variant, button, count: (same?.count ?? 0) + count }])
            }, buttonTaps)
          }
        ]),
      tally: (id) => store.readTenant(({ buttonTaps }) => Option.getOrElse(HashMap.get(buttonTaps, id), () => []))
    })
  )
)
