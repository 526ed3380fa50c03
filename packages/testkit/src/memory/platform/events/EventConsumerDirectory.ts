import { KnownEventConsumer, NotFound, EventConsumerDirectory } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { refuse, Store } from "../../store/Store.ts"
import type { State } from "../../store/State.ts"

const known = ({ subscribers }: State) =>
  HashMap.toEntries(subscribers)
    .map(([name, since]) => new KnownEventConsumer({ name, since }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))

export const layer = Layer.effect(
  EventConsumerDirectory,
  Effect.map(Store, (store) =>
    EventConsumerDirectory.of({
      list: store.read(known),
      add: (names, now) =>
        store.write((state) => {
          const fresh = names.filter((name) => !HashMap.has(state.subscribers, name))
          const subscribers = HashMap.setMany(
            state.subscribers,
            fresh.map((name) => [name, now] as const)
          )
          const next = { ...state, subscribers }
          return [known(next).filter(({ name }) => names.includes(name)), next]
        }),
      remove: (name) =>
        store.write((state) =>
          HashMap.has(state.subscribers, name)
            ? [undefined, { ...state, subscribers: HashMap.remove(state.subscribers, name) }]
            : refuse(new NotFound({ resource: "event consumer" }))
        ),
      listen: store.listenToAll
    })
  )
)
