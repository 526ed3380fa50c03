import { assert, describe, expect, it } from "@effect/vitest"
import { UserId } from "@parley/domain/kernel"
import { MultiLineText } from "@parley/domain/platform"
import { ContactId } from "@parley/domain/crm"
import { ChatAccountId, ConversationId, ConversationView, Message, MessageId } from "@parley/domain/messaging"
import { DateTime, Option, Schema } from "effect"
import { CliOutput } from "effect/cli"
import { draftTo, emptyView, type View, withConversations, withDraft, withSent } from "../../src/commands/inbox/View.ts"
import { clockAt, dayAt, draw, shortlyAt } from "../../src/commands/inbox/draw.ts"
import { pressed } from "../../src/commands/inbox/keys.ts"
import { fitted, wrapped } from "../../src/console/text.ts"

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`
const at = DateTime.makeUnsafe("2026-11-21T09:30:00Z")

/** The afternoon of the same day, in Berlin. */
const now = DateTime.setZone(DateTime.add(at, { hours: 5 }), DateTime.zoneMakeNamedUnsafe("Europe/Berlin"))

const conversation = (number: number, name: string | null, unreadCount = 0) =>
  new ConversationView({
    id: ConversationId.make(uuid(number)),
    contact: { id: ContactId.make(uuid(100 + number)), name, phone: "+4915112345678" },
    chatAccountId: ChatAccountId.make(uuid(900)),
    recipient: { kind: "phone", value: "+4915112345678" },
    status: "open",
    priority: "none",
    assigneeId: null,
    snoozedUntil: null,
    unreadCount,
    lastMessage: null,
    lastInboundAt: at,
    lastActivityAt: at,
    waitingSince: null,
    firstRepliedAt: null,
    window: { open: true, expiresAt: DateTime.add(at, { hours: 24 }) },
    freeEntryPoint: null,
    labels: [],
    createdAt: at,
    updatedAt: at,
    version: 1
  })

const message = (number: number, text: string, outbound = false) =>
  new Message({
    id: MessageId.make(uuid(number)),
    conversationId: ConversationId.make(uuid(1)),
    direction: outbound ? "outbound" : "inbound",
    kind: "text",
    text,
    media: null,
    template: null,
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    recipient: null,
    author: outbound ? { kind: "user", id: uuid(5) } : { kind: "contact", id: uuid(101) },
    status: outbound ? "delivered" : "received",
    error: null,
    providerMessageId: null,
    at,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: at
  })

const view: View = {
  ...withConversations(emptyView("Acme"), [conversation(1, "Carla", 2), conversation(2, "Zoë 日本 👩‍👩‍👧", 0)]),
  messages: [message(11, "Where is my parcel?"), message(12, "On its way.", true)]
}

const key = (name: string, ctrl = false, input = "") => ({
  input: input === "" ? Option.none<string>() : Option.some(input),
  key: { name, ctrl, meta: false, shift: false }
})

const typed = (letter: string) => key(letter, false, letter)

describe("the inbox on a terminal", () => {
  it("shows author, text and delivery state at 80 columns", () => {
    const lines = draw(view, { columns: 80, rows: 12 }, now)
    expect(lines).toHaveLength(12)
    expect(lines[0]).toContain("Acme: 2 unread")
    expect(lines[0]).toContain("Carla, open, can be answered until tomorrow 10:30")
    expect(lines[2]).toContain(">Carla")
    expect(lines[2]).toContain("-- Today --")
    expect(lines[3]).toContain("10:30 Carla")
    expect(lines.join("\n")).toContain("Where is my parcel?")
    expect(lines.join("\n")).toContain("a colleague (delivered)")
    const people = new Map([[UserId.make(uuid(5)), "Cleo"]])
    expect(draw({ ...view, people }, { columns: 80, rows: 12 }, now).join("\n")).toContain("Cleo (delivered)")
  })

  it("shows that it loads until the conversations are read", () => {
    const sizes = { columns: 80, rows: 12 }
    const [loading = ""] = draw(emptyView("Acme"), sizes, now)
    expect(loading).toContain("Acme: Loading…")
    expect(loading).not.toContain("No conversation")
    const [loaded = ""] = draw(withConversations(emptyView("Acme"), []), sizes, now)
    expect(loaded).toContain("Acme: 0 unread")
    expect(loaded).toContain("No conversation")
  })

  it("says when something was by the calendar and the clock of the person who looks", () => {
    const ago = (hours: number) => DateTime.subtract(at, { hours })
    expect([0, 11, 24 * 3, 24 * 40, 24 * 400].map((hours) => dayAt(ago(hours), now))).toEqual([
      "Today",
      "Yesterday",
      "Wednesday",
      "Mon 12 October",
      "17 October 2025"
    ])
    expect([0, 11, 24 * 3, 24 * 40].map((hours) => shortlyAt(ago(hours), now))).toEqual([
      "10:30",
      "Yesterday",
      "Wed",
      "12 Oct"
    ])
    expect(clockAt(ago(10), now)).toBe("00:30")
    expect(dayAt(ago(10), now)).toBe("Today")
  })

  it("says that the service is away, and that what is written is kept", () => {
    const lines = draw({ ...view, isAway: true }, { columns: 80, rows: 12 }, now)
    expect(lines[0]).toContain("Acme: AWAY")
    expect(lines.at(-1)).toContain("The service does not answer. The screen can be outdated; drafts are stored.")
  })

  it("says of each kind of message what there is to say", () => {
    const kinds = [
      {
        kind: "order",
        text: "Sliced",
        order: { catalogId: null, items: [{ productId: "rye", quantity: 2, price: null }] }
      },
      { kind: "contacts", text: null, contacts: [{ name: "Ada", phones: [] }] },
      { kind: "edit", text: "Where is it?" },
      { kind: "revocation", text: null },
      { kind: "unsupported", text: null },
      { revokedAt: at },
      { author: { kind: "phone_app", id: uuid(900) }, direction: "outbound", status: "sent" }
    ] as const
    const messages = kinds.map((fields, number) => new Message({ ...message(40 + number, "Hello"), ...fields }))
    const shown = draw({ ...view, messages }, { columns: 100, rows: 30 }, now).join("\n")
    for (const words of [
      "[order 2 x rye] Sliced",
      "[contacts Ada]",
      "[corrected] Where is it?",
      "[has deleted a message]",
      "[a message of an unsupported kind]",
      "Carla, taken back",
      "phone (sent)"
    ]) {
      expect(shown).toContain(words)
    }
  })

  it.prop(
    "fills the screen exactly for every text and size",
    {
      columns: Schema.Int.check(Schema.isBetween({ minimum: 40, maximum: 200 })),
      rows: Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 60 })),
      texts: Schema.Array(MultiLineText.check(Schema.isMaxLength(200))).check(Schema.isMaxLength(8)),
      draft: MultiLineText.check(Schema.isMaxLength(120))
    },
    ({ columns, draft, rows, texts }) => {
      const written = {
        ...withDraft(view, view.selected, draft),
        messages: texts.map((text, number) => message(20 + number, text))
      }
      const lines = draw(written, { columns, rows }, now)
      assert.lengthOf(lines, rows)
      for (const line of lines) assert.strictEqual(CliOutput.displayWidth(line), columns)
    }
  )

  it("lets nothing that was written steer the terminal", () => {
    const lines = draw(
      { ...view, messages: [message(30, "a\u001B[2Jb\u0007c\u202Ed")] },
      { columns: 80, rows: 12 },
      now
    )
    for (const steering of ["\u001B", "\u0007", "\u202E"]) expect(lines.join("")).not.toContain(steering)
  })

  it("keeps the selected conversation while others come and go", () => {
    const [second] = pressed(view, key("down"))
    expect(second.selected).toBe(uuid(2))
    const grown = withConversations(second, [conversation(3, "New", 1), ...view.conversations])
    expect(grown.selected).toBe(uuid(2))
    expect(withConversations(grown, [conversation(3, "New", 1)]).selected).toBe(uuid(3))
  })

  const draft = (from: View) => draftTo(from, from.selected)

  it("writes, corrects and sends an answer", () => {
    const written = ["H", "i", "👍"].reduce((before, letter) => pressed(before, typed(letter))[0], view)
    expect(draft(written)).toBe("Hi👍")
    expect(draft(pressed(written, key("backspace"))[0])).toBe("Hi")
    expect(draft(pressed(written, key("u", true))[0])).toBe("")
    expect(pressed(written, key("return"))[1]).toBe("send")
    expect(pressed({ ...written, isSending: true }, key("return"))[1]).toBe("none")
    expect(pressed(view, key("return"))[1]).toBe("none")
    expect(pressed(written, key("c", true))[1]).toBe("quit")
  })

  it("keeps a draft for each conversation, also while an answer is sent", () => {
    const written = pressed(view, typed("a"))[0]
    const [other] = pressed(written, key("down"))
    expect(draft(other)).toBe("")
    expect(draw(other, { columns: 80, rows: 12 }, now).join("\n")).toMatch(/ Carla +\(2\) draft/)
    const [back] = pressed(pressed(other, typed("b"))[0], key("up"))
    expect(draft(back)).toBe("a")
    expect(draft(pressed(back, key("down"))[0])).toBe("b")
    const sending = { conversation: ConversationId.make(uuid(1)), text: "a", key: "k" }
    const sent = withSent(pressed({ ...back, sending, isSending: true }, typed("!"))[0], sending)
    expect([draft(sent), sent.sending, sent.isSending]).toEqual(["!", null, false])
  })

  it("asks before it resolves, and takes only yes for yes", () => {
    const [asked, wish] = pressed(view, key("e", true))
    expect(wish).toBe("none")
    expect(draw(asked, { columns: 80, rows: 12 }, now).at(-1)).toContain(
      "Resolve the conversation with Carla? y resolves"
    )
    expect(pressed(asked, typed("y"))).toEqual([view, "resolve"])
    for (const other of [typed("n"), key("escape"), key("return"), key("e", true), key("y", true)]) {
      expect(pressed(asked, other)).toEqual([view, "none"])
    }
    expect(pressed(emptyView("Acme"), key("e", true))[0].asks).toBeNull()
  })

  it("breaks lines between words, and cuts what does not fit with a sign", () => {
    expect(wrapped("one two three", 7)).toEqual(["one two", "three"])
    expect(wrapped("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"])
    expect(fitted("abcdef", 4)).toBe("abc…")
    expect(fitted("日本語", 4)).toBe("日… ")
  })
})
