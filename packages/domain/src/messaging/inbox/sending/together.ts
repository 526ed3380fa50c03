import { Effect, Exit, Request, RequestResolver } from "effect"

interface Asked<Item, A> extends Request.Request<A> {
  readonly item: Item
}

/**
 * Does for many what each asks for by itself: those who ask until `gathered` completes are done as one, and each is given its own part of
 * the answer. What fails fails for all of them.
 */
export const together = Effect.fnUntraced(function* <Item, A, R>(
  all: (items: ReadonlyArray<Item>) => Effect.Effect<(item: Item) => A, never, R>,
  gathered: Effect.Effect<void>
) {
  const services = yield* Effect.context<R>()
  const asked = Request.of<Asked<Item, A>>()
  const resolver = RequestResolver.make<Asked<Item, A>>((entries) =>
    Effect.map(Effect.provideContext(all(entries.map(({ request }) => request.item)), services), (answer) => {
      for (const entry of entries) entry.completeUnsafe(Exit.succeed(answer(entry.request.item)))
    })
  ).pipe(RequestResolver.setDelayEffect(gathered))
  return (item: Item): Effect.Effect<A> => Effect.request(asked({ item }), resolver)
})
