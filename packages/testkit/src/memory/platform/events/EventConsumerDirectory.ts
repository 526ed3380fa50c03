import { NotFound } from "@parley/domain/kernel"
import { KnownEventConsumer, EventConsumerDirectory } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { refuse, Store } from "../../store/Store.ts"
import type { State } from "../../store/State.ts"

const known = ({ consumers }: State) =>
  HashMap.toEntries(consumers)
    .map(([name, since]) => new KnownEventConsumer({ name, since }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))

export const layer = Layer.effect(
  EventConsumerDirectory,
  Effect.map(Store, (store) =>
    EventConsumerDirectory.of({
      list: store.read(known),
      add: (names, now) =>
        store.write((state) => {
          const fresh = names.filter((name) => !HashMap.has(state.consumers, name))
          const consumers = HashMap.setMany(
            state.consumers,
            fresh.map((name) => [name, now] as const)
          )
          const next = { ...state, consumers }
          return [known(next).filter(({ name }) => names.includes(name)), next]
        }),
      remove: (name) =>
        store.write((state) =>
          HashMap.has(state.consumers, name)
            ? [undefined, { ...state, consumers: HashMap.remove(state.consumers, name) }]
            : refuse(new NotFound({ resource: "event consumer" }))
        ),
      listen: store.listenToAll
    })
  )
)
