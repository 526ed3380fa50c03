import { StorageUnavailable, UnitOfWork } from "@parley/domain/kernel"
import { layerAreas, type Ports, type StoragePorts } from "@parley/domain/composition"
import { InMemory, TestKit, TestSecurity } from "@parley/testkit"
import { Context, Effect, Layer } from "effect"

/** State of the storage: it works, it is unavailable, or it fails at a moment of the next unit of work. */
export interface Weather {
  isAway: boolean
  /** The next units of work end this way, one each, and then the storage works again. */
  readonly units: Array<"before" | "at commit, kept" | "at commit, taken back">
  /** Number of started units of work. */
  begun: number
}

/** The weather of the storage under test. */
export class StorageWeather extends Context.Service<StorageWeather, Weather>()(
  "@parley/http-adapter/test/StorageWeather"
) {}

const outage = (outcome: "not_made" | "unknown") =>
  Effect.die(new StorageUnavailable({ reason: "the test says so", outcome, isAway: true }))

const inWeather = (service: object, weather: Weather): object =>
  new Proxy(service, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      const unlessAway = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => (weather.isAway ? outage("not_made") : effect))
      if (Effect.isEffect(value)) return unlessAway(value)
      if (typeof value !== "function") return value
      return (...given: ReadonlyArray<unknown>) => {
        const answer: unknown = Reflect.apply(value, target, given)
        return Effect.isEffect(answer) ? unlessAway(answer) : answer
      }
    }
  })

const unitsInWeather = ({ transact }: UnitOfWork["Service"], weather: Weather): UnitOfWork["Service"] => ({
  transact: (effect) =>
    Effect.suspend(() => {
      if (weather.isAway) return outage("not_made")
      weather.begun += 1
      switch (weather.units.shift()) {
        case undefined:
          return transact(effect)
        case "before":
          return outage("not_made")
        case "at commit, kept":
          return Effect.andThen(transact(effect), outage("unknown"))
        case "at commit, taken back":
          return transact(Effect.andThen(effect, outage("unknown")))
      }
    })
})

const layerStorage: Layer.Layer<StoragePorts, never, StorageWeather> = Layer.effectContext(
  Effect.gen(function* () {
    const weather = yield* StorageWeather
    const storage = yield* Layer.build(InMemory.layer)
    const services = Array.from(storage.mapUnsafe, ([key, service]: readonly [string, object]) => {
      const changed =
        service === Context.get(storage, UnitOfWork)
          ? unitsInWeather(Context.get(storage, UnitOfWork), weather)
          : inWeather(service, weather)
      return [key, changed] as const
    })
    return Context.makeUnsafe<StoragePorts>(new Map(services))
  })
)

/** Every port in memory; a test can make the storage unavailable. */
export const layerWeather: Layer.Layer<Ports | StorageWeather> = Layer.mergeAll(
  layerAreas.pipe(Layer.provideMerge(Layer.mergeAll(layerStorage, TestSecurity.layer))),
  TestKit.layerProviders
).pipe(Layer.provideMerge(Layer.sync(StorageWeather, () => ({ isAway: false, units: [], begun: 0 }))))
