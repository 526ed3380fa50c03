import type { ParleyClient } from "@parley/http-adapter/client"
import type { Message } from "@parley/domain"
import { Effect, Queue, Ref, type Scope, Stream, Terminal } from "effect"
import { draw } from "./draw.ts"
import { pressed } from "./keys.ts"
import { emptyView, type View, withConversations } from "./View.ts"

const listed = 50

const enterScreen = "\u001B[?1049h\u001B[?25l"
const leaveScreen = "\u001B[?25h\u001B[?1049l"
const home = "\u001B[H"

/** Something that makes the screen anew: a key, or news from the service. */
type Occasion =
  | { readonly kind: "key"; readonly key: Terminal.UserInput }
  | { readonly kind: "news" }
  | { readonly kind: "size" }

const explained = (error: { readonly _tag: string; readonly message: string }) =>
  error._tag === "HttpClientError" ? "The service does not answer." : error.message

/** Shows the inbox on the terminal, live, until the person leaves it. */
export const followInbox = Effect.fnUntraced(function* (client: ParleyClient.Client, organization: string) {
  const terminal = yield* Terminal.Terminal
  const view = yield* Ref.make(emptyView(organization))
  const occasions = yield* Queue.sliding<Occasion>(1_000)

  /** A call that fails says so at the bottom of the screen; the rest stays as it was. */
  const orNotice = <A, E extends { readonly _tag: string; readonly message: string }>(
    call: Effect.Effect<A, E>,
    then: (view: View, answer: A) => View
  ) =>
    Effect.matchEffect(call, {
      onFailure: (error) => Ref.update(view, (before) => ({ ...before, notice: explained(error) })),
      onSuccess: (answer) => Ref.update(view, (before) => then(before, answer))
    })

  const readConversations = orNotice(
    client.conversations.list({ query: { status: ["open", "pending"], limit: listed } }),
    (before, { data }) => withConversations(before, data)
  )

  const readMessages = Effect.gen(function* () {
    const { selected } = yield* Ref.get(view)
    if (selected === null) return
    const isStill = (messages: ReadonlyArray<Message>) => (before: View) =>
      before.selected === selected ? { ...before, messages: messages.toReversed() } : before
    yield* orNotice(client.messages.list({ params: { id: selected }, query: { limit: listed } }), (before, { data }) =>
      isStill(data)(before)
    )
  })

  const markRead = Effect.gen(function* () {
    const { conversations, selected } = yield* Ref.get(view)
    const unread = conversations.find(({ id }) => id === selected)?.unreadCount ?? 0
    if (selected !== null && unread > 0) {
      yield* orNotice(client.conversations.read({ params: { id: selected } }), (before) => before)
    }
  })

  const refresh = Effect.andThen(readConversations, readMessages)

  const send = Effect.gen(function* () {
    const { draft, selected } = yield* Ref.get(view)
    if (selected === null) return
    yield* orNotice(
      client.messages.send({ params: { id: selected }, payload: { kind: "text", text: draft } }),
      (before) => ({ ...before, draft: "", notice: "", scrolled: 0 })
    )
    yield* readMessages
  })

  const resolve = Effect.gen(function* () {
    const { selected } = yield* Ref.get(view)
    if (selected === null) return
    yield* orNotice(client.conversations.resolve({ params: { id: selected } }), (before) => before)
    yield* refresh
  })

  const show = Effect.gen(function* () {
    const size = { columns: yield* terminal.columns, rows: yield* terminal.rows }
    const lines = draw(yield* Ref.get(view), size)
    yield* terminal.display(home + lines.join("\r\n"))
  })

  /** Does what a key asks for; says whether to go on. */
  const onKey = Effect.fnUntraced(function* (key: Terminal.UserInput) {
    const [after, wish] = pressed(yield* Ref.get(view), key)
    yield* Ref.set(view, after)
    switch (wish) {
      case "quit":
        return false
      case "open":
        yield* show
        yield* Effect.andThen(readMessages, markRead)
        return true
      case "send":
        yield* send
        return true
      case "resolve":
        yield* resolve
        return true
      case "none":
        return true
    }
  })

  const listen = Effect.gen(function* () {
    const keys = yield* terminal.readInput
    const size = yield* terminal.size
    yield* Stream.fromQueue(keys).pipe(
      Stream.runForEach((key) => Queue.offer(occasions, { kind: "key", key })),
      Effect.ensuring(Queue.shutdown(occasions)),
      Effect.forkScoped
    )
    yield* Stream.fromQueue(size).pipe(
      Stream.runForEach(() => Queue.offer(occasions, { kind: "size" })),
      Effect.forkScoped
    )
    yield* client.events.follow().pipe(
      Stream.filter(({ event }) => /^(?:conversation|message)\./u.test(event.type)),
      Stream.runForEach(() => Queue.offer(occasions, { kind: "news" })),
      Effect.catch((error) => Ref.update(view, (before) => ({ ...before, notice: explained(error) }))),
      Effect.forkScoped
    )
  })

  const loop: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
    let goesOn = true
    while (goesOn) {
      const next = yield* Queue.takeAll(occasions)
      for (const occasion of next) {
        if (occasion.kind === "key") goesOn = goesOn && (yield* onKey(occasion.key))
      }
      if (next.some(({ kind }) => kind === "news")) yield* Effect.andThen(refresh, markRead)
      yield* Effect.orDie(show)
    }
  }).pipe(Effect.ignore)

  yield* Effect.acquireRelease(Effect.orDie(terminal.display(enterScreen)), () =>
    Effect.orDie(terminal.display(leaveScreen))
  )
  yield* listen
  yield* refresh
  yield* markRead
  yield* show
  yield* loop
}, Effect.scoped)
