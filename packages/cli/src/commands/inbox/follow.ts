import type { ConversationView, Message } from "@parley/domain/messaging"
import { type ParleyClient, ParleyClient as Client } from "@parley/http-adapter/client"
import { DateTime, Effect, Queue, Ref, type Scope, Stream, Terminal } from "effect"
import { SecureRandom } from "effect/crypto"
import type { DraftFile } from "./DraftFile.ts"
import { draftTo, emptyView, type Sending, type View, withConversations, withSent } from "./View.ts"
import { draw } from "./draw.ts"
import { pressed } from "./keys.ts"

const listed = 50

const enterScreen = "\u001B[?1049h\u001B[?25l"
const leaveScreen = "\u001B[?25h\u001B[?1049l"
const home = "\u001B[H"

/** Event that redraws the screen: a key, or news of the service. */
type Occasion =
  | { readonly kind: "key"; readonly key: Terminal.UserInput }
  | { readonly kind: "connection"; readonly isConnected: boolean }
  | { readonly kind: "news" }
  | { readonly kind: "shown" }

interface Failed {
  readonly _tag: string
  readonly message: string
}

const unanswered = "The service does not answer."

/** Whether the result of a call is unknown. */
const isUnanswered = ({ _tag }: Failed) => _tag === "HttpClientError" || _tag === "ServiceUnavailable"

const explained = (error: Failed) => (isUnanswered(error) ? unanswered : error.message)

/** Removes the selected conversation and selects the next one. */
const withoutSelected = (view: View): View => {
  const at = view.conversations.findIndex(({ id }) => id === view.selected)
  const conversations = view.conversations.filter(({ id }) => id !== view.selected)
  const next = conversations[Math.min(at, conversations.length - 1)]
  return { ...view, conversations, selected: next?.id ?? null, messages: [], scrolled: 0 }
}

/** Shows the inbox on the terminal, live, until the user leaves it. */
export const followInbox = Effect.fnUntraced(function* (
  client: ParleyClient.Client,
  organization: string,
  draftFile: DraftFile
) {
  const terminal = yield* Terminal.Terminal
  const view = yield* Ref.make<View>({ ...emptyView(organization), ...(yield* draftFile.read) })
  const occasions = yield* Queue.sliding<Occasion>(1_000)
  const calls = yield* Queue.unbounded<Effect.Effect<void>>()
  const isRefreshing = yield* Ref.make(false)
  const zone = DateTime.zoneMakeLocal()

  /** Shows a failed call in the last line. The rest of the screen stays. */
  const orNotice = <A, E extends Failed>(call: Effect.Effect<A, E>, then: (view: View, answer: A) => View) =>
    Effect.matchEffect(call, {
      onFailure: (error) => Ref.update(view, (before) => ({ ...before, notice: explained(error) })),
      onSuccess: (answer) =>
        Ref.update(view, (before) => then(before.notice === unanswered ? { ...before, notice: "" } : before, answer))
    })

  /** A conversation with a draft stays in the list, even if another member resolves it. */
  const withTheWritten = Effect.fnUntraced(function* (data: ReadonlyArray<ConversationView>) {
    const now = yield* Ref.get(view)
    if (now.selected === null || draftTo(now, now.selected) === "") return data
    if (data.some(({ id }) => id === now.selected)) return data
    return [yield* client.conversations.get({ params: { id: now.selected } }), ...data]
  })

  const readConversations = orNotice(
    Effect.flatMap(client.conversations.list({ query: { status: ["open", "pending"], limit: listed } }), ({ data }) =>
      withTheWritten(data)
    ),
    withConversations
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

  const readPeople = Effect.ignore(
    Effect.flatMap(client.members.list({ query: { limit: 100 } }), ({ data }) => {
      const people = new Map(data.flatMap(({ name, userId }) => (userId === null ? [] : [[userId, name ?? ""]])))
      return Ref.update(view, (before) => ({ ...before, people }))
    })
  )

  const markRead = Effect.gen(function* () {
    const { conversations, selected } = yield* Ref.get(view)
    const unread = conversations.find(({ id }) => id === selected)?.unreadCount ?? 0
    if (selected !== null && unread > 0) {
      yield* orNotice(client.conversations.read({ params: { id: selected } }), (before) => before)
    }
  })

  const refresh = Effect.andThen(Ref.set(isRefreshing, false), Effect.andThen(readConversations, readMessages))

  const call = (one: Effect.Effect<void>) => Queue.offer(calls, one)

  /** Combines concurrent refreshes into one call of the service. */
  const callRefresh = Effect.flatMap(Ref.getAndSet(isRefreshing, true), (isAsked) =>
    isAsked ? Effect.void : call(Effect.andThen(refresh, markRead))
  )

  const keepDrafts = Effect.flatMap(Ref.get(view), ({ drafts, sending }) => draftFile.write({ drafts, sending }))

  /** An answer without a known result is sent again with the same key, so the customer gets it once. */
  const send = Effect.gen(function* () {
    const { selected, sending: last, ...now } = yield* Ref.get(view)
    if (selected === null) return
    const text = draftTo({ ...now, selected, sending: last }, selected)
    const isAgain = last !== null && last.conversation === selected && last.text === text
    const sending: Sending = isAgain ? last : { conversation: selected, text, key: SecureRandom.uuidV4Unsafe() }
    yield* Ref.update(view, (before) => ({ ...before, sending, isSending: true, notice: "" }))
    yield* call(
      client.messages.send({ params: { id: selected }, payload: { kind: "text", text } }).pipe(
        Client.withIdempotencyKey(sending.key),
        Effect.matchEffect({
          onFailure: (error) =>
            Ref.update(view, (before) => ({
              ...before,
              isSending: false,
              sending: isUnanswered(error) ? sending : null,
              notice: isUnanswered(error)
                ? `Perhaps not sent: ${unanswered} The draft is stored; Enter sends it again, without a duplicate.`
                : error.message
            })),
          onSuccess: () => Ref.update(view, (before) => withSent(before, sending))
        }),
        Effect.andThen(readMessages)
      )
    )
  })

  const resolve = Effect.gen(function* () {
    const { selected } = yield* Ref.get(view)
    if (selected === null) return
    const closed = orNotice(client.conversations.resolve({ params: { id: selected } }), (before) =>
      before.selected === selected ? withoutSelected(before) : before
    )
    yield* call(Effect.andThen(closed, refresh))
  })

  const show = Effect.gen(function* () {
    const size = { columns: yield* terminal.columns, rows: yield* terminal.rows }
    const now = DateTime.setZone(yield* DateTime.now, zone)
    const lines = draw(yield* Ref.get(view), size, now)
    yield* terminal.display(home + lines.join("\r\n"))
  })

  /** Runs the action of a key. Returns whether to continue. */
  const onKey = Effect.fnUntraced(function* (key: Terminal.UserInput) {
    const wish = yield* Ref.modify(view, (before) => {
      const [after, asked] = pressed(before, key)
      return [asked, after]
    })
    switch (wish) {
      case "quit":
        return false
      case "open":
        yield* call(Effect.andThen(readMessages, markRead))
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

  const onConnection = (isConnected: boolean) => {
    Queue.offerUnsafe(occasions, { kind: "connection", isConnected })
  }

  const listen = Effect.gen(function* () {
    const keys = yield* terminal.readInput
    const size = yield* terminal.size
    yield* Stream.fromQueue(keys).pipe(
      Stream.runForEach((key) => Queue.offer(occasions, { kind: "key", key })),
      Effect.ensuring(Queue.shutdown(occasions)),
      Effect.forkScoped
    )
    yield* Stream.fromQueue(size).pipe(
      Stream.runForEach(() => Queue.offer(occasions, { kind: "shown" })),
      Effect.forkScoped
    )
    yield* Stream.fromQueue(calls).pipe(
      Stream.runForEach((one) => Effect.andThen(one, Queue.offer(occasions, { kind: "shown" }))),
      Effect.forkScoped
    )
    yield* client.events.follow({ onConnection }).pipe(
      Stream.filter(({ event }) => /^(?:conversation|message)\./u.test(event.type)),
      Stream.runForEach(() => Queue.offer(occasions, { kind: "news" })),
      Effect.catch((error) => Ref.update(view, (before) => ({ ...before, notice: explained(error) }))),
      Effect.forkScoped
    )
  })

  const onOccasion = Effect.fnUntraced(function* (occasion: Occasion) {
    switch (occasion.kind) {
      case "key":
        return yield* onKey(occasion.key)
      case "connection": {
        const wasAway = (yield* Ref.get(view)).isAway
        yield* Ref.update(view, (before) => ({ ...before, isAway: !occasion.isConnected }))
        if (wasAway && occasion.isConnected) yield* callRefresh
        return true
      }
      case "news":
        yield* callRefresh
        return true
      case "shown":
        return true
    }
  })

  const loop: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
    let goesOn = true
    let kept = yield* Ref.get(view)
    while (goesOn) {
      for (const occasion of yield* Queue.takeAll(occasions)) goesOn = goesOn && (yield* onOccasion(occasion))
      const now = yield* Ref.get(view)
      if (now.drafts !== kept.drafts || now.sending !== kept.sending) yield* keepDrafts
      kept = now
      yield* Effect.orDie(show)
    }
  }).pipe(Effect.ignore)

  yield* Effect.acquireRelease(Effect.orDie(terminal.display(enterScreen)), () =>
    Effect.orDie(terminal.display(leaveScreen))
  )
  yield* listen
  yield* call(readPeople)
  yield* callRefresh
  yield* show
  yield* loop
}, Effect.scoped)
