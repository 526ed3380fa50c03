import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, nextId, transact } from "@parley/domain/kernel"
import { InboundDelivery, ListedAutomationToken, Organization, User } from "@parley/domain/platform"
import { ContactImport } from "@parley/domain/crm"
import { ChatAccountView, ConversationView } from "@parley/domain/messaging"
import { WebhookSubscription } from "@parley/domain/integrations"
import { Broadcast, BroadcastId, Broadcasts, type BroadcastStatus, toDraft } from "@parley/domain/campaigns"
import { givenCommerce, givenPrivacyRequest } from "@parley/testkit"
import { startChatSimulator } from "@parley/simulators/chat"
import { Context, DateTime, Effect, FileSystem, Layer, Schema } from "effect"
import type { Command } from "effect/cli"
import { loadCommands } from "../src/commands.ts"
import { asService } from "./support/asService.ts"
import { connect, incoming, receive } from "./support/chat.ts"
import { commandLine, type Outcome, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"
import { serviceOn } from "./support/inProcess.ts"
import { chosenPassword } from "./support/ownPassword.ts"

const commands = await Effect.runPromise(loadCommands)

const UserWithPassword = Schema.Struct({ ...User.fields, password: Schema.String })
const IssuedToken = Schema.Struct({ ...ListedAutomationToken.fields, token: Schema.String })

const operator = { kind: "operator", name: "test" } as const

/** An organization with something of everything, and both ways to it. */
class Both extends Context.Service<
  Both,
  {
    readonly database: ReturnType<typeof commandLine>["parley"]
    readonly server: ReturnType<typeof commandLine>["parley"]
    readonly address: string
    readonly ids: Readonly<
      Record<
        | "account"
        | "broadcast"
        | "cart"
        | "contact"
        | "conversation"
        | "customer"
        | "delivery"
        | "import"
        | "job"
        | "order"
        | "privacy"
        | "product"
        | "store"
        | "subscription",
        string
      >
    >
    /** Creates a broadcast with this status and without recipients. */
    readonly broadcastIn: (status: BroadcastStatus) => Effect.Effect<string, unknown>
    /** Creates a request of a shop with an export that is ready. */
    readonly readyRequest: Effect.Effect<string, unknown>
    readonly folder: string
  }
>()("@parley/cli/test/Both") {
  static readonly layer = Layer.effect(
    Both,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-cli-" })
      const { url } = yield* startChatSimulator()
      const environment = {
        ...(yield* OnServer),
        PARLEY_CHAT_API_URL: url,
        PARLEY_BASE_URL: "https://parley.example",
        PARLEY_WEBHOOK_ALLOW_LOOPBACK: "on"
      }
      const { parley: database } = commandLine(environment)
      const organization = yield* printed(
        Organization,
        yield* database("orgs", "create", "Acme", "--plan", "growth", "--json")
      )
      const { password } = yield* printed(
        UserWithPassword,
        yield* database("users", "create", "ann@both.example", "--json")
      )
      yield* database("users", "create", "ben@both.example")
      yield* database("members", "add", "ann@both.example", "--role", "owner")
      yield* database("members", "add", "ben@both.example", "--role", "agent")
      yield* asService(environment, connect(organization))
      yield* asService(environment, receive(organization, incoming("Where is it?", yield* DateTime.now)))
      const [account] = yield* printed(
        Schema.Array(ChatAccountView),
        yield* database("chat-accounts", "list", "--json")
      )
      const [conversation] = yield* printed(
        Schema.Array(ConversationView),
        yield* database("conversations", "list", "--json")
      )
      const [delivery] = yield* printed(Schema.Array(InboundDelivery), yield* database("inbound", "list", "--json"))
      yield* fs.writeFileString(`${folder}/rows.csv`, "email,name\r\nada@example.com,Ada\r\nwrong,B\r\n")
      yield* fs.writeFileString(
        `${folder}/order.json`,
        '{"when":{"event":"message.received"},"then":[{"type":"set_priority","priority":"high"}]}'
      )
      yield* fs.writeFileString(`${folder}/broadcast.json`, '{"name":"Autumn","audience":{},"replyHours":24}')
      yield* fs.writeFileString(`${folder}/odd.csv`, 'E-Mail,Notes,Tags\r\nb@example.com,x,"tag0,tag7"\r\n')
      const done = yield* printed(ContactImport, yield* database("contacts", "import", `${folder}/rows.csv`, "--json"))
      const broadcastIn = (status: BroadcastStatus, overrides: Partial<Broadcast> = {}) =>
        asService(
          environment,
          Effect.gen(function* () {
            const id = yield* nextId(BroadcastId)
            const draft = toDraft(id, { name: "Spring" }, yield* DateTime.now, operator)
            yield* transact((yield* Broadcasts).insert(new Broadcast({ ...draft, ...overrides, status })))
            return id
          }).pipe(
            Effect.provideService(CurrentOrganization, { id: organization.id }),
            Effect.provideService(CurrentActor, operator)
          )
        )
      const broadcast = yield* broadcastIn("draft", { audience: {}, chatAccountId: account?.id ?? null })
      const contactId = conversation?.contact.id ?? null
      const commerce = yield* asService(environment, givenCommerce(organization, contactId))
      const readyRequest = Effect.map(
        asService(environment, givenPrivacyRequest(organization, { state: "ready" })),
        ({ id }) => id
      )
      const subscribed = yield* database(...subscribing, "--json")
      const [subscription] = yield* printed(
        Schema.Array(WebhookSubscription),
        yield* database("webhooks", "list", "--json")
      )
      assert.strictEqual(subscribed.code, 0, subscribed.err)
      const address = yield* serviceOn(environment)
      const { parley: server, parleyWithInput } = commandLine({ PARLEY_CONFIG_DIR: folder, PARLEY_SERVER: address })
      const login = yield* parleyWithInput(
        `${password}\n${chosenPassword}\n`,
        "login",
        "--new-password",
        "--email",
        "ann@both.example"
      )
      assert.deepStrictEqual([login.code, login.err], [0, ""])
      return {
        database,
        server,
        address,
        folder,
        broadcastIn,
        readyRequest,
        ids: {
          account: account?.id ?? "",
          broadcast,
          store: commerce.connection.id,
          customer: commerce.customer.id,
          order: commerce.order.id,
          cart: commerce.cart.id,
          product: commerce.product.id,
          privacy: yield* readyRequest,
          contact: contactId ?? "",
          conversation: conversation?.id ?? "",
          delivery: delivery?.id ?? "",
          subscription: subscription?.id ?? "",
          import: done.id,
          job: done.jobId
        }
      }
    })
  ).pipe(Layer.provide(NodeServices.layer), Layer.provideMerge(OnServer.layer))
}

/** This port has no listener. */
const subscribing = ["webhooks", "create", "http://127.0.0.1:9/", "--name", "ERP", "--event", "tag.*"] as const

type Way = Pick<Context.Service.Shape<typeof Both>, "broadcastIn" | "database" | "readyRequest">

type Ids = Context.Service.Shape<typeof Both>["ids"] & { readonly folder: string }

interface Case {
  readonly of: string
  readonly args: (ids: Ids) => ReadonlyArray<string>
  /** Data that is created in the database before each of the two runs; its id is the last argument of the command. */
  readonly made?: (way: Way) => Effect.Effect<string, unknown>
}

const token = ({ database }: Way) =>
  Effect.flatMap(
    database("tokens", "issue", "--as", "ann@both.example", "--name", "CI", "--permission", "members.read", "--json"),
    (issued) => Effect.map(printed(IssuedToken, issued), ({ id }) => id)
  )

const invited = ({ database }: Way) =>
  Effect.as(database("members", "invite", "eve@both.example", "--role", "agent"), "eve@both.example")

const schedule = ({ database }: Way) =>
  Effect.map(
    database("schedules", "create", "--name", "Office", "--weekly", '{"mon":[["09:00","18:00"]]}', "--quiet"),
    ({ out }) => out.trim()
  )

const automation = ({ database }: Way) =>
  Effect.map(database("automations", "create", "--name", "Refund", "--quiet"), ({ out }) => out.trim())

const triggered = (way: Way) =>
  Effect.gen(function* () {
    const id = yield* automation(way)
    yield* way.database("automations", "trigger-url", "rotate", id)
    return id
  })

const defined = (folder: string) => ["automations", "create", "--name", "Order", "--definition", `${folder}/order.json`]

const broadcastIn =
  (status: BroadcastStatus) =>
  ({ broadcastIn }: Way) =>
    broadcastIn(status)

const readyRequest = (way: Way) => way.readyRequest

const as = ["--as", "ann@both.example"]
const past = ["--from", "2026-01-01", "--to", "2026-01-03"]
const nobody = "01934b78-4c50-7d77-8f91-607182930415"

/** Every command about one organization, in ways that show all of its output. */
const cases: ReadonlyArray<Case> = [
  { of: "members list", args: () => ["members", "list", "--org", "acme"] },
  { of: "members list", args: () => ["members", "list", "--json"] },
  { of: "members list", args: () => ["members", "list", "--quiet", "--limit", "1"] },
  { of: "members set-role", args: () => ["members", "set-role", "ben@both.example", "agent"] },
  { of: "members set-role", args: () => ["members", "set-role", "ann@both.example", "agent"] },
  { of: "members set-role", args: () => ["members", "set-role", "nobody@both.example", "agent"] },
  { of: "members invite", args: () => ["members", "invite", "ann@both.example", "--role", "agent"] },
  { of: "members remove", args: () => ["members", "remove", "ben@both.example"] },
  { of: "members availability", args: () => ["members", "availability", "ben@both.example"] },
  { of: "members availability", args: () => ["members", "availability", "ben@both.example", "--json"] },
  {
    of: "members availability",
    args: () => ["members", "availability", "ben@both.example", "--status", "away", "--capacity", "5"]
  },
  { of: "members availability", args: () => ["members", "availability", "ben@both.example", "--capacity", "0"] },
  { of: "members availability", args: () => ["members", "availability", "nobody@both.example"] },
  { of: "schedules list", args: () => ["schedules", "list"] },
  { of: "schedules list", args: () => ["schedules", "list", "--json", "--limit", "1"] },
  { of: "schedules create", args: () => ["schedules", "create", "--name", "Office", "--weekly", "{}", "-q"] },
  { of: "schedules create", args: () => ["schedules", "create", "--name", "Office", "--weekly", "monday"] },
  { of: "schedules show", args: () => ["schedules", "show"], made: schedule },
  { of: "schedules show", args: () => ["schedules", "show", "--json"], made: schedule },
  { of: "schedules show", args: () => ["schedules", "show", nobody] },
  { of: "schedules status", args: () => ["schedules", "status", "--at", "2026-11-23T10:00:00Z"], made: schedule },
  {
    of: "schedules status",
    args: () => ["schedules", "status", "--at", "2026-11-22T10:00:00Z", "--json"],
    made: schedule
  },
  { of: "schedules status", args: () => ["schedules", "status", nobody] },
  { of: "schedules update", args: () => ["schedules", "update", "--timezone", "Asia/Tokyo"], made: schedule },
  { of: "schedules update", args: () => ["schedules", "update"], made: schedule },
  { of: "schedules update", args: () => ["schedules", "update", nobody, "--name", "Winter"] },
  { of: "schedules delete", args: () => ["schedules", "delete"], made: schedule },
  { of: "schedules delete", args: () => ["schedules", "delete", "--yes"], made: schedule },
  { of: "members remove", args: () => ["members", "remove", "--yes"], made: invited },
  { of: "members remove", args: () => ["members", "remove", "--yes", "--json"], made: invited },
  { of: "contacts import", args: ({ folder }) => ["contacts", "import", `${folder}/rows.csv`, "--dry-run"] },
  { of: "contacts import", args: ({ folder }) => ["contacts", "import", `${folder}/rows.csv`, "--map", "x=name"] },
  { of: "contacts import", args: ({ folder }) => ["contacts", "import", `${folder}/none.csv`] },
  { of: "contacts import", args: ({ folder }) => ["contacts", "import", `${folder}/odd.csv`, "--strict"] },
  {
    of: "contacts import",
    args: ({ folder }) => ["contacts", "import", `${folder}/odd.csv`, "--dry-run", "--create-tags"]
  },
  {
    of: "contacts import",
    args: ({ folder }) => ["contacts", "import", `${folder}/odd.csv`, "--dry-run", "--tag-separator", "comma"]
  },
  { of: "jobs list", args: () => ["jobs", "list", "--state", "succeeded", "--limit", "1"] },
  { of: "jobs list", args: () => ["jobs", "list", "--filter", "kind=contacts.import", "--json", "--limit", "2"] },
  { of: "jobs list", args: () => ["jobs", "list", "--filter", "kind=Import"] },
  { of: "jobs show", args: (ids) => ["jobs", "show", ids.job] },
  { of: "jobs show", args: () => ["jobs", "show", nobody] },
  { of: "contacts import-errors", args: (ids) => ["contacts", "import-errors", ids.import] },
  { of: "contacts import-errors", args: () => ["contacts", "import-errors", nobody] },
  { of: "contacts export", args: ({ folder }) => ["contacts", "export", "--output", `${folder}/contacts.csv`] },
  {
    of: "contacts export",
    args: ({ folder }) => ["contacts", "export", "--format", "ndjson", "-o", `${folder}/c.ndjson`]
  },
  { of: "contacts export", args: () => ["contacts", "export", "--tag", "Nobodys"] },
  { of: "chat-accounts add-number", args: () => ["chat-accounts", "add-number", nobody] },
  {
    of: "chat-accounts add-number",
    args: () => ["chat-accounts", "add-number", nobody, "--phone", "+14155550199", "--verified-name", "Bakery"]
  },
  { of: "chat-accounts request-code", args: () => ["chat-accounts", "request-code", nobody, "--method", "sms"] },
  { of: "chat-accounts verify-code", args: () => ["chat-accounts", "verify-code", nobody, "123456"] },
  { of: "contacts runs", args: () => ["contacts", "runs", nobody] },
  { of: "contacts runs", args: () => ["contacts", "runs", nobody, "--json"] },
  { of: "contacts list", args: () => ["contacts", "list", "--org", "acme"] },
  { of: "contacts list", args: () => ["contacts", "list", "--filter", "email=ADA@example.com", "--json"] },
  { of: "contacts list", args: () => ["contacts", "list", "--filter", "q=ada", "--sort", "name", "-q"] },
  {
    of: "contacts list",
    args: () => ["contacts", "list", "--filter", 'filter={"field":"email","op":"is_set"}', "--limit", "1"]
  },
  { of: "contacts list", args: () => ["contacts", "list", "--filter", "phone=0170 1234567", "--filter", "country=DE"] },
  { of: "contacts list", args: () => ["contacts", "list", "--filter", "phone=12"] },
  { of: "contacts list", args: () => ["contacts", "list", "--filter", "tag=Nobodys"] },
  {
    of: "contacts list",
    args: () => [
      "contacts",
      "list",
      "--filter",
      "createdFrom=2020-01-01T00:00:00Z",
      "--filter",
      "consent=unknown",
      "-q"
    ]
  },
  { of: "messages search", args: () => ["messages", "search", "where"] },
  { of: "messages search", args: () => ["messages", "search", "WHERE it", "--json"] },
  { of: "messages search", args: () => ["messages", "search", "where", "-q", "--filter", "direction=inbound"] },
  { of: "messages search", args: () => ["messages", "search", "bread"] },
  { of: "messages search", args: () => ["messages", "search", "where", "--filter", `contactId=${nobody}`] },
  { of: "templates list", args: () => ["templates", "list"] },
  { of: "templates list", args: () => ["templates", "list", "--json", "--filter", "status=approved"] },
  { of: "templates list", args: (ids) => ["templates", "list", "-q", "--filter", `chatAccountId=${ids.account}`] },
  { of: "templates list", args: () => ["templates", "list", "--filter", `chatAccountId=${nobody}`] },
  { of: "templates list", args: () => ["templates", "list", "--filter", "name=hello", "--limit", "1"] },
  { of: "templates show", args: () => ["templates", "show", nobody] },
  { of: "templates update", args: (ids) => ["templates", "update", nobody, "--file", `${ids.folder}/order.json`] },
  { of: "templates preview", args: () => ["templates", "preview", nobody] },
  { of: "templates preview", args: () => ["templates", "preview", nobody, "--values", '{"body.1":"Ada"}', "--json"] },
  {
    of: "templates preview-content",
    args: (ids) => ["templates", "preview-content", "--file", `${ids.folder}/broadcast.json`]
  },
  { of: "templates submit", args: () => ["templates", "submit", nobody] },
  { of: "templates unpause", args: () => ["templates", "unpause", nobody] },
  { of: "templates archive", args: () => ["templates", "archive", nobody] },
  { of: "templates unarchive", args: () => ["templates", "unarchive", nobody] },
  {
    of: "templates upsert-authentication",
    args: (ids) => ["templates", "upsert-authentication", "--file", `${ids.folder}/broadcast.json`]
  },
  { of: "templates delete", args: () => ["templates", "delete", nobody] },
  { of: "templates edit", args: (ids) => ["templates", "edit", nobody, "--file", `${ids.folder}/order.json`] },
  { of: "templates create", args: (ids) => ["templates", "create", "--file", `${ids.folder}/broadcast.json`] },
  {
    of: "templates create-from-library",
    args: (ids) => ["templates", "create-from-library", "--file", `${ids.folder}/broadcast.json`]
  },
  { of: "templates library", args: (ids) => ["templates", "library", "--chat-account", ids.account] },
  { of: "templates library", args: (ids) => ["templates", "library", "--chat-account", ids.account, "--json"] },
  { of: "chat-accounts list", args: () => ["chat-accounts", "list"] },
  { of: "chat-accounts list", args: () => ["chat-accounts", "list", "--json"] },
  { of: "chat-accounts list", args: () => ["chat-accounts", "list", "-q"] },
  { of: "chat-accounts check", args: (ids) => ["chat-accounts", "check", ids.account] },
  { of: "chat-accounts check", args: () => ["chat-accounts", "check", nobody] },
  { of: "chat-accounts onboarding", args: (ids) => ["chat-accounts", "onboarding", ids.account] },
  { of: "chat-accounts onboarding", args: (ids) => ["chat-accounts", "onboarding", ids.account, "--json"] },
  { of: "chat-accounts subscribe", args: (ids) => ["chat-accounts", "subscribe", ids.account] },
  { of: "chat-accounts register", args: (ids) => ["chat-accounts", "register", ids.account] },
  { of: "chat-accounts register", args: () => ["chat-accounts", "register", nobody, "--pin", "150954"] },
  { of: "chat-accounts change-pin", args: (ids) => ["chat-accounts", "change-pin", ids.account, "--pin", "150954"] },
  { of: "chat-accounts deregister", args: (ids) => ["chat-accounts", "deregister", ids.account] },
  { of: "chat-accounts deregister", args: () => ["chat-accounts", "deregister", nobody, "--yes"] },
  { of: "templates sync", args: (ids) => ["templates", "sync", "--chat-account", ids.account] },
  { of: "templates sync", args: (ids) => ["templates", "sync", "--chat-account", ids.account, "--json"] },
  { of: "conversations list", args: () => ["conversations", "list"] },
  { of: "conversations list", args: () => ["conversations", "list", "--status", "open", "--unread", "--json"] },
  { of: "conversations list", args: () => ["conversations", "list", "--status", "resolved"] },
  {
    of: "conversations list",
    args: (ids) => [
      ..."conversations list --filter status=open --filter status=pending --filter unread=true --filter q=where".split(
        " "
      ),
      "--filter",
      `chatAccountId=${ids.account}`,
      "-q"
    ]
  },
  { of: "conversations list", args: () => ["conversations", "list", "--filter", "assignee=none", "--json"] },
  { of: "conversations list", args: () => ["conversations", "list", "--filter", `contactId=${nobody}`] },
  { of: "conversations show", args: (ids) => ["conversations", "show", ids.conversation] },
  { of: "conversations show", args: (ids) => ["conversations", "show", ids.conversation, "--json"] },
  { of: "conversations show", args: () => ["conversations", "show", nobody] },
  {
    of: "conversations list",
    args: () => ["conversations", "list", "--awaiting-reply", "--sort", "waitingSince", "--json"]
  },
  { of: "conversations unread", args: (ids) => ["conversations", "unread", ids.conversation] },
  { of: "conversations send", args: (ids) => ["conversations", "send", ids.conversation, "It left today."] },
  { of: "conversations send", args: (ids) => ["conversations", "send", ids.conversation, ""] },
  // Counts change between the two commands, so both use a refused request.
  { of: "analytics overview", args: () => ["analytics", "overview", "--period", "1d"] },
  { of: "analytics overview", args: () => ["analytics", "--period", "1d"] },
  // Days without activity do not change.
  { of: "analytics series", args: () => ["analytics", "series", "--figure", "commerce.net", ...past] },
  { of: "analytics series", args: () => ["analytics", "series", "--figure", "contacts.new", ...past, "--json"] },
  {
    of: "analytics series",
    args: () => [
      ..."analytics series --by hour --figure conversations.opened --figure firstResponse.medianSeconds".split(" "),
      ...past
    ]
  },
  {
    of: "analytics series",
    args: () => ["analytics", "series", "--by", "hour", "--figure", "contacts.new", "--period", "30d"]
  },
  {
    of: "analytics series",
    args: () => ["analytics", "series", "--figure", "contacts.new", "--from", "2026-01-01"]
  },
  {
    of: "analytics series",
    args: () => ["analytics", "series", "--figure", "messages.failed", "--chat-account", nobody]
  },
  { of: "analytics series", args: () => ["analytics", "series", "--figure", "conversation.opened"] },
  { of: "analytics agents", args: () => ["analytics", "agents", ...past, "--sort", "open"] },
  { of: "analytics agents", args: () => ["analytics", "agents", ...past, "--json"] },
  { of: "analytics agents", args: () => ["analytics", "agents", "--period", "7d", "--to", "2026-01-01"] },
  { of: "analytics broadcasts", args: () => ["analytics", "broadcasts", ...past] },
  { of: "analytics broadcasts", args: () => ["analytics", "broadcasts", ...past, "-q"] },
  { of: "analytics broadcasts", args: () => ["analytics", "broadcasts", "--from", "2026-02-31"] },
  { of: "analytics heatmap", args: () => ["analytics", "heatmap", ...past] },
  {
    of: "analytics heatmap",
    args: (ids) => ["analytics", "heatmap", ...past, "--chat-account", ids.account, "--json"]
  },
  { of: "analytics heatmap", args: () => ["analytics", "heatmap", "--chat-account", nobody] },
  { of: "analytics costs", args: () => ["analytics", "costs", ...past] },
  { of: "analytics costs", args: () => ["analytics", "costs", ...past, "--by", "country", "--json"] },
  {
    of: "analytics costs",
    args: (ids) => ["analytics", "costs", ...past, "--by", "day", "--currency", "USD", "--chat-account", ids.account]
  },
  { of: "analytics costs", args: () => ["analytics", "costs", ...past, "--chat-account", nobody] },
  { of: "analytics live", args: (ids) => ["analytics", "live", "--chat-account", ids.account] },
  { of: "analytics live", args: () => ["analytics", "live", "--json"] },
  { of: "analytics live", args: () => ["analytics", "live", "--chat-account", nobody] },
  { of: "stores list", args: () => ["stores", "list"] },
  { of: "stores list", args: () => ["stores", "list", "--json", "--filter", "status=connected"] },
  { of: "stores list", args: () => ["stores", "list", "-q", "--filter", "status=pending"] },
  { of: "stores show", args: (ids) => ["stores", "show", ids.store] },
  { of: "stores show", args: (ids) => ["stores", "show", ids.store, "--json"] },
  { of: "stores show", args: () => ["stores", "show", nobody] },
  { of: "stores connect", args: () => ["stores", "connect", "acme.example"] },
  { of: "stores connect", args: () => ["stores", "connect", "Acme.myshopify.com", "--make-contacts", "reachable"] },
  { of: "stores authorize", args: () => ["stores", "authorize", "acme.myshopify.com", "--finish", "later"] },
  { of: "stores complete", args: (ids) => ["stores", "complete", ids.store] },
  { of: "stores update", args: (ids) => ["stores", "update", ids.store, "--take-consent", "yes", "-q"] },
  { of: "stores update", args: (ids) => ["stores", "update", ids.store] },
  { of: "stores update", args: () => ["stores", "update", nobody, "--cart-abandoned-after", "90"] },
  { of: "stores sync", args: () => ["stores", "sync", nobody, "--full"] },
  { of: "stores sync", args: (ids) => ["stores", "sync", ids.store, "--full", "--json"] },
  { of: "stores disconnect", args: (ids) => ["stores", "disconnect", ids.store] },
  { of: "stores disconnect", args: () => ["stores", "disconnect", nobody, "--yes"] },
  { of: "stores skipped", args: (ids) => ["stores", "skipped", ids.store] },
  { of: "stores skipped", args: () => ["stores", "skipped", nobody, "--json"] },
  { of: "stores status", args: () => ["stores", "status", nobody] },
  { of: "stores commerce", args: (ids) => ["stores", "commerce", "--contact", ids.contact] },
  { of: "stores commerce", args: (ids) => ["stores", "commerce", "--conversation", ids.conversation, "--json"] },
  { of: "stores commerce", args: () => ["stores", "commerce"] },
  { of: "stores orders", args: () => ["stores", "orders"] },
  { of: "stores orders", args: (ids) => ["stores", "orders", "--filter", `contactId=${ids.contact}`, "-q"] },
  { of: "stores orders", args: () => ["stores", "orders", "--filter", "q=#100", "--filter", "paymentStatus=paid"] },
  { of: "stores order", args: (ids) => ["stores", "order", ids.order] },
  { of: "stores order", args: (ids) => ["stores", "order", ids.order, "--json"] },
  { of: "stores carts", args: () => ["stores", "carts", "--filter", "q=sour"] },
  { of: "stores cart", args: (ids) => ["stores", "cart", ids.cart] },
  { of: "stores cart", args: () => ["stores", "cart", nobody] },
  { of: "stores customers", args: (ids) => ["stores", "customers", "--filter", `storeConnectionId=${ids.store}`] },
  { of: "stores customer", args: (ids) => ["stores", "customer", ids.customer] },
  { of: "stores link", args: (ids) => ["stores", "link", ids.customer, "--contact", ids.contact] },
  { of: "stores link", args: (ids) => ["stores", "link", ids.customer] },
  { of: "stores link", args: () => ["stores", "link", nobody, "--nobody"] },
  { of: "stores products", args: () => ["stores", "products", "--json"] },
  { of: "stores product", args: (ids) => ["stores", "product", ids.product] },
  { of: "stores privacy list", args: () => ["stores", "privacy", "list"] },
  { of: "stores privacy list", args: () => ["stores", "privacy", "list", "--json", "--filter", "state=ready"] },
  { of: "stores privacy list", args: () => ["stores", "privacy", "list", "-q", "--filter", "state=done"] },
  { of: "stores privacy show", args: (ids) => ["stores", "privacy", "show", ids.privacy] },
  { of: "stores privacy show", args: () => ["stores", "privacy", "show", nobody, "--json"] },
  { of: "stores privacy export", args: (ids) => ["stores", "privacy", "export", ids.privacy] },
  { of: "stores privacy export", args: () => ["stores", "privacy", "export", nobody] },
  { of: "stores privacy complete", args: (ids) => ["stores", "privacy", "complete", ids.privacy] },
  { of: "stores privacy complete", args: () => ["stores", "privacy", "complete", "--yes"], made: readyRequest },
  { of: "stores privacy complete", args: () => ["stores", "privacy", "complete", nobody, "--yes"] },
  { of: "events types", args: () => ["events", "types"] },
  { of: "events types", args: () => ["events", "types", "-q"] },
  { of: "webhooks list", args: (ids) => ["webhooks", "list", "--limit", "1", "--filter", ids.subscription] },
  { of: "webhooks show", args: (ids) => ["webhooks", "show", ids.subscription] },
  { of: "webhooks show", args: () => ["webhooks", "show", nobody, "--json"] },
  { of: "webhooks create", args: () => [...subscribing, "--header", "x-team=orders", "--payload", "full"] },
  { of: "webhooks create", args: () => [...subscribing, "--header", "x-team"] },
  { of: "webhooks create", args: () => [...subscribing, "--event", "bread.baked", "--filter", "{}"] },
  { of: "webhooks create", args: () => ["webhooks", "create", "http://10.0.0.1/", "--name", "ERP"] },
  {
    of: "webhooks update",
    args: (ids) => ["webhooks", "update", ids.subscription, "--name", "Till", "--ordering", "subject"]
  },
  { of: "webhooks update", args: (ids) => ["webhooks", "update", ids.subscription] },
  { of: "webhooks test", args: (ids) => ["webhooks", "test", ids.subscription] },
  { of: "webhooks test", args: (ids) => ["webhooks", "test", ids.subscription, "--type", "bread.baked"] },
  { of: "webhooks rotate-secret", args: (ids) => ["webhooks", "rotate-secret", ids.subscription] },
  {
    of: "webhooks rotate-secret",
    args: (ids) => ["webhooks", "rotate-secret", ids.subscription, "--overlap", "0", "--json"]
  },
  { of: "webhooks deliveries", args: (ids) => ["webhooks", "deliveries", ids.subscription] },
  {
    of: "webhooks deliveries",
    args: (ids) => ["webhooks", "deliveries", ids.subscription, "--filter", "state=failed", "--json"]
  },
  { of: "webhooks delivery", args: (ids) => ["webhooks", "delivery", ids.subscription, nobody] },
  { of: "webhooks redeliver", args: (ids) => ["webhooks", "redeliver", ids.subscription, nobody] },
  { of: "webhooks replay", args: (ids) => ["webhooks", "replay", ids.subscription, "--after", "0", "--all"] },
  { of: "webhooks replay", args: (ids) => ["webhooks", "replay", ids.subscription] },
  {
    of: "webhooks replay",
    args: (ids) => ["webhooks", "replay", ids.subscription, "--since", "2020-01-01T00:00:00Z"]
  },
  { of: "webhooks disable", args: (ids) => ["webhooks", "disable", ids.subscription, "-q"] },
  { of: "webhooks enable", args: (ids) => ["webhooks", "enable", ids.subscription, "-q"] },
  { of: "webhooks delete", args: (ids) => ["webhooks", "delete", ids.subscription] },
  { of: "webhooks delete", args: () => ["webhooks", "delete", nobody, "--yes"] },
  { of: "plugins list", args: () => ["plugins", "list"] },
  { of: "plugins list", args: () => ["plugins", "list", "--json"] },
  { of: "plugins list", args: () => ["plugins", "list", "--catalogue"] },
  { of: "plugins show", args: () => ["plugins", "show", nobody] },
  { of: "plugins install", args: () => ["plugins", "install"] },
  { of: "plugins install", args: () => ["plugins", "install", "acme-loyalty", "--grant", "contacts.read"] },
  { of: "plugins update", args: () => ["plugins", "update", nobody] },
  { of: "plugins update", args: () => ["plugins", "update", nobody, "--settings", '{"points":1}'] },
  { of: "plugins upgrade", args: () => ["plugins", "upgrade", nobody, "1.5.0"] },
  { of: "plugins enable", args: () => ["plugins", "enable", nobody] },
  { of: "plugins disable", args: () => ["plugins", "disable", nobody, "--json"] },
  { of: "plugins rotate-secret", args: () => ["plugins", "rotate-secret", nobody, "--overlap", "60"] },
  { of: "plugins deliveries", args: () => ["plugins", "deliveries", nobody] },
  { of: "plugins calls", args: () => ["plugins", "calls", nobody] },
  { of: "plugins complete", args: () => ["plugins", "complete", nobody] },
  { of: "plugins complete", args: () => ["plugins", "complete", nobody, "--output", '{"total":1}'] },
  { of: "plugins uninstall", args: () => ["plugins", "uninstall", nobody] },
  { of: "plugins uninstall", args: () => ["plugins", "uninstall", nobody, "--yes", "--force"] },
  { of: "automations list", args: () => ["automations", "list"] },
  { of: "automations list", args: () => ["automations", "list", "--filter", "q=no such name"] },
  { of: "automations create", args: () => ["automations", "create", "--name", "Refund"] },
  { of: "automations create", args: ({ folder }) => [...defined(folder), "--json"] },
  { of: "automations create", args: ({ folder }) => ["automations", "create", "--definition", `${folder}/order.json`] },
  { of: "automations create", args: () => ["automations", "create", "--name", "X", "--definition", "nowhere.json"] },
  {
    of: "automations create",
    args: ({ folder }) => ["automations", "create", "--name", "X", "--definition", `${folder}/broadcast.json`]
  },
  { of: "automations list", args: () => ["automations", "list", "--json", "--limit", "1"] },
  { of: "automations show", args: () => ["automations", "show"], made: automation },
  { of: "automations show", args: () => ["automations", "show", "--json"], made: automation },
  { of: "automations show", args: () => ["automations", "show", nobody] },
  {
    of: "automations update",
    args: ({ folder }) => ["automations", "update", "--definition", `${folder}/order.json`],
    made: automation
  },
  { of: "automations update", args: () => ["automations", "update"], made: automation },
  { of: "automations update", args: () => ["automations", "update", nobody, "--name", "Paid"] },
  { of: "automations enable", args: () => ["automations", "enable"], made: automation },
  { of: "automations enable", args: () => ["automations", "enable", nobody] },
  { of: "automations disable", args: () => ["automations", "disable", "-q"], made: automation },
  { of: "automations disable", args: () => ["automations", "disable", nobody] },
  { of: "automations reorder", args: () => ["automations", "reorder", "--to", "1", "--json"], made: automation },
  { of: "automations reorder", args: () => ["automations", "reorder", "--to", "0"], made: automation },
  { of: "automations reorder", args: () => ["automations", "reorder", nobody, "--to", "1"] },
  { of: "automations delete", args: () => ["automations", "delete"], made: automation },
  { of: "automations delete", args: () => ["automations", "delete", "--yes"], made: automation },
  { of: "automations delete", args: () => ["automations", "delete", nobody, "--yes"] },
  { of: "automations test", args: () => ["automations", "test", "--position", "999999"], made: automation },
  {
    of: "automations test",
    args: ({ folder }) => ["automations", "test", "--position", "999999", "--draft", `${folder}/order.json`],
    made: automation
  },
  { of: "automations test", args: () => ["automations", "test", "--position", "first"], made: automation },
  { of: "automations test", args: () => ["automations", "test", nobody, "--position", "1", "--json"] },
  { of: "automations runs list", args: () => ["automations", "runs", "list"], made: automation },
  {
    of: "automations runs list",
    args: () => ["automations", "runs", "list", "--json", "--filter", "state=failed"],
    made: automation
  },
  { of: "automations runs list", args: () => ["automations", "runs", "list", nobody] },
  { of: "automations runs show", args: () => ["automations", "runs", "show", nobody, nobody] },
  { of: "automations runs show", args: () => ["automations", "runs", "show", nobody, nobody, "--json"] },
  { of: "automations cancel-run", args: () => ["automations", "cancel-run", nobody, nobody] },
  { of: "automations cancel-runs", args: () => ["automations", "cancel-runs", "--preview"], made: automation },
  {
    of: "automations cancel-runs",
    args: () => ["automations", "cancel-runs", nobody, "--filter", "state=queued", "--yes"]
  },
  {
    of: "automations cancel-runs",
    args: () => ["automations", "cancel-runs", nobody, "--filter", "state=failed", "--yes"]
  },
  { of: "automations rerun-runs", args: () => ["automations", "rerun-runs", "--preview"], made: automation },
  {
    of: "automations rerun-runs",
    args: () => ["automations", "rerun-runs", nobody, "--filter", "state=failed", "--yes"]
  },
  {
    of: "automations rerun-runs",
    args: () => ["automations", "rerun-runs", nobody, "--filter", "state=queued", "--yes"]
  },
  { of: "automations trigger-url show", args: () => ["automations", "trigger-url", "show"], made: automation },
  { of: "automations trigger-url show", args: () => ["automations", "trigger-url", "show", "--json"], made: triggered },
  {
    of: "automations trigger-url rotate",
    args: () => ["automations", "trigger-url", "rotate", "--signed"],
    made: automation
  },
  {
    of: "automations trigger-url rotate",
    args: () => ["automations", "trigger-url", "rotate", "--json"],
    made: automation
  },
  {
    of: "automations trigger-url delete",
    args: () => ["automations", "trigger-url", "delete", "--yes"],
    made: triggered
  },
  { of: "automations trigger-url delete", args: () => ["automations", "trigger-url", "delete", nobody, "--yes"] },
  { of: "automations settings", args: () => ["automations", "settings"] },
  { of: "automations settings", args: () => ["automations", "settings", "--json"] },
  { of: "automations pause", args: () => ["automations", "pause"] },
  { of: "automations resume", args: () => ["automations", "resume", "--json"] },
  { of: "automations resume", args: () => ["automations", "resume"] },
  { of: "workflows list", args: () => ["workflows", "list"] },
  { of: "workflows list", args: () => ["workflows", "list", "--json"] },
  { of: "workflows show", args: () => ["workflows", "show", nobody] },
  { of: "workflows show", args: () => ["workflows", "show", nobody, "--diagram"] },
  { of: "workflows create", args: () => ["workflows", "create"] },
  { of: "workflows create", args: () => ["workflows", "create", "--name", "Cart"] },
  { of: "workflows create", args: () => ["workflows", "create", "--name", "Cart", "--graph", "nowhere.json"] },
  { of: "workflows update", args: () => ["workflows", "update", nobody] },
  { of: "workflows update", args: () => ["workflows", "update", nobody, "--name", "Cart"] },
  { of: "workflows validate", args: () => ["workflows", "validate", nobody] },
  { of: "workflows test", args: () => ["workflows", "test", nobody] },
  {
    of: "workflows test",
    args: () => ["workflows", "test", nobody, "--contact", nobody, "--answers", '{"ask":"maybe"}']
  },
  {
    of: "workflows test",
    args: () => [
      "workflows",
      "test",
      nobody,
      "--contact",
      nobody,
      "--version",
      "1",
      "--answers",
      '{"ask":"event"}',
      "--json"
    ]
  },
  { of: "workflows publish", args: () => ["workflows", "publish", nobody] },
  { of: "workflows pause", args: () => ["workflows", "pause", nobody] },
  { of: "workflows resume", args: () => ["workflows", "resume", nobody, "--json"] },
  { of: "workflows archive", args: () => ["workflows", "archive", nobody] },
  { of: "workflows archive", args: () => ["workflows", "archive", nobody, "--runs", "stop", "--yes"] },
  { of: "workflows versions", args: () => ["workflows", "versions", nobody] },
  { of: "workflows runs list", args: () => ["workflows", "runs", "list", nobody] },
  {
    of: "workflows runs list",
    args: () => ["workflows", "runs", "list", nobody, "--filter", "state=waiting", "--json"]
  },
  { of: "workflows runs show", args: () => ["workflows", "runs", "show", nobody, nobody] },
  { of: "workflows watch", args: () => ["workflows", "watch", nobody, nobody] },
  { of: "workflows start", args: () => ["workflows", "start", nobody] },
  {
    of: "workflows start",
    args: () => ["workflows", "start", nobody, "--contact", nobody, "--input", '{"coupon":"X"}']
  },
  { of: "workflows enroll", args: () => ["workflows", "enroll", nobody, "--audience", "everybody", "--yes"] },
  { of: "workflows enroll", args: () => ["workflows", "enroll", nobody, "--audience", "{}", "--yes"] },
  {
    of: "workflows migrate-runs",
    args: () => ["workflows", "migrate-runs", nobody, "--from", "1", "--missing", "leave", "--yes"]
  },
  {
    of: "workflows migrate-runs",
    args: () => ["workflows", "migrate-runs", nobody, "--from", "1", "--map", "{}", "--yes"]
  },
  { of: "workflows cancel-runs", args: () => ["workflows", "cancel-runs", nobody, "--preview"] },
  {
    of: "workflows cancel-runs",
    args: () => ["workflows", "cancel-runs", nobody, "--filter", "state=failed", "--yes"]
  },
  { of: "workflows rerun-runs", args: () => ["workflows", "rerun-runs", nobody, "--preview"] },
  {
    of: "workflows rerun-runs",
    args: () => ["workflows", "rerun-runs", nobody, "--filter", "state=waiting", "--yes"]
  },
  { of: "workflows continue-run", args: () => ["workflows", "continue-run", nobody, nobody, "--as", "event"] },
  { of: "workflows cancel", args: () => ["workflows", "cancel", nobody, nobody, "--json"] },
  { of: "workflows delete", args: () => ["workflows", "delete", nobody] },
  { of: "broadcasts list", args: () => ["broadcasts", "list"] },
  { of: "broadcasts list", args: () => ["broadcasts", "list", "--status", "draft", "--json"] },
  { of: "broadcasts list", args: () => ["broadcasts", "list", "--filter", "q=SPRING", "-q", "--limit", "1"] },
  { of: "broadcasts list", args: () => ["broadcasts", "list", "--filter", "status=failed"] },
  { of: "broadcasts list", args: () => ["broadcasts", "list", "--filter", `chatAccountId=${nobody}`] },
  { of: "broadcasts show", args: (ids) => ["broadcasts", "show", ids.broadcast] },
  { of: "broadcasts show", args: (ids) => ["broadcasts", "show", ids.broadcast, "--json"] },
  { of: "broadcasts show", args: () => ["broadcasts", "show", nobody] },
  { of: "broadcasts preview", args: (ids) => ["broadcasts", "preview", ids.broadcast] },
  { of: "broadcasts preview", args: (ids) => ["broadcasts", "preview", ids.broadcast, "--freeze"] },
  { of: "broadcasts preview", args: (ids) => ["broadcasts", "preview", ids.broadcast, "--json"] },
  { of: "broadcasts preview", args: () => ["broadcasts", "preview"], made: broadcastIn("draft") },
  { of: "broadcasts send", args: (ids) => ["broadcasts", "send", ids.broadcast] },
  { of: "broadcasts send", args: (ids) => ["broadcasts", "send", ids.broadcast, "--yes"] },
  { of: "broadcasts send", args: (ids) => ["broadcasts", "send", ids.broadcast, "--yes", "--snapshot", nobody] },
  { of: "broadcasts send", args: () => ["broadcasts", "send", nobody, "--yes"] },
  { of: "broadcasts create", args: () => ["broadcasts", "create", "--name", "Summer", "--audience", "{}", "-q"] },
  {
    of: "broadcasts create",
    args: (ids) => [
      ..."broadcasts create --name Summer --hold-out 2.5 --per-minute 60 --value body.1=@firstName|there".split(" "),
      "--chat-account",
      ids.account
    ]
  },
  { of: "broadcasts create", args: () => ["broadcasts", "create", "--name", "Summer", "--audience", "everybody"] },
  { of: "broadcasts create", args: () => ["broadcasts", "create", "--name", "", "--audience", "{}"] },
  { of: "broadcasts create", args: () => ["broadcasts", "create", "--name", "Summer", "--value", "body.1"] },
  { of: "broadcasts create", args: () => ["broadcasts", "create", "--name", "Summer", "--hold-out", "60"] },
  { of: "broadcasts create", args: (ids) => ["broadcasts", "create", "--file", `${ids.folder}/broadcast.json`] },
  { of: "broadcasts create", args: (ids) => ["broadcasts", "create", "--file", `${ids.folder}/rows.csv`] },
  { of: "broadcasts create", args: () => ["broadcasts", "create"] },
  { of: "broadcasts update", args: () => ["broadcasts", "update", "--name", "Winter"], made: broadcastIn("draft") },
  { of: "broadcasts update", args: (ids) => ["broadcasts", "update", ids.broadcast] },
  { of: "broadcasts update", args: () => ["broadcasts", "update", "--name", "Winter"], made: broadcastIn("completed") },
  { of: "broadcasts simulate", args: (ids) => ["broadcasts", "simulate", ids.broadcast] },
  { of: "broadcasts simulate", args: (ids) => ["broadcasts", "simulate", ids.broadcast, "--contact", nobody] },
  { of: "broadcasts test", args: (ids) => ["broadcasts", "test", ids.broadcast, "+491701234567"] },
  { of: "broadcasts test", args: (ids) => ["broadcasts", "test", ids.broadcast, "12"] },
  { of: "broadcasts schedule", args: (ids) => ["broadcasts", "schedule", ids.broadcast, "--yes"] },
  {
    of: "broadcasts schedule",
    args: (ids) => ["broadcasts", "schedule", ids.broadcast, "--at", "2099-12-01T09:00:00Z"]
  },
  { of: "broadcasts unschedule", args: () => ["broadcasts", "unschedule"], made: broadcastIn("scheduled") },
  { of: "broadcasts unschedule", args: (ids) => ["broadcasts", "unschedule", ids.broadcast] },
  { of: "broadcasts duplicate", args: (ids) => ["broadcasts", "duplicate", ids.broadcast, "--name", "Again"] },
  { of: "broadcasts duplicate", args: (ids) => ["broadcasts", "duplicate", ids.broadcast, "-q"] },
  { of: "broadcasts retry", args: (ids) => ["broadcasts", "retry", ids.broadcast, "--status", "failed"] },
  { of: "broadcasts retry", args: (ids) => ["broadcasts", "retry", ids.broadcast, "--status", "in_doubt"] },
  { of: "broadcasts retry", args: () => ["broadcasts", "retry", "--status", "failed"], made: broadcastIn("completed") },
  { of: "broadcasts retry", args: (ids) => ["broadcasts", "retry", ids.broadcast, "--status", "lost"] },
  {
    of: "broadcasts recipients",
    args: (ids) => ["broadcasts", "recipients", ids.broadcast, "--export", "csv", "--status", "failed"]
  },
  { of: "broadcasts recipients", args: (ids) => ["broadcasts", "recipients", ids.broadcast, "--output", "x.csv"] },
  { of: "broadcasts pause", args: () => ["broadcasts", "pause"], made: broadcastIn("sending") },
  { of: "broadcasts pause", args: () => ["broadcasts", "pause", "-q"], made: broadcastIn("sending") },
  { of: "broadcasts pause", args: (ids) => ["broadcasts", "pause", ids.broadcast] },
  { of: "broadcasts resume", args: () => ["broadcasts", "resume"], made: broadcastIn("paused") },
  { of: "broadcasts resume", args: (ids) => ["broadcasts", "resume", ids.broadcast] },
  { of: "broadcasts cancel", args: () => ["broadcasts", "cancel"], made: broadcastIn("paused") },
  { of: "broadcasts cancel", args: () => ["broadcasts", "cancel", "--yes"], made: broadcastIn("paused") },
  { of: "broadcasts cancel", args: () => ["broadcasts", "cancel", "--yes", "--json"], made: broadcastIn("paused") },
  { of: "broadcasts cancel", args: (ids) => ["broadcasts", "cancel", ids.broadcast, "-y"] },
  { of: "broadcasts watch", args: () => ["broadcasts", "watch"], made: broadcastIn("cancelled") },
  { of: "broadcasts watch", args: () => ["broadcasts", "watch", "--json"], made: broadcastIn("completed") },
  { of: "broadcasts watch", args: (ids) => ["broadcasts", "watch", ids.broadcast] },
  { of: "broadcasts report", args: (ids) => ["broadcasts", "report", ids.broadcast] },
  { of: "broadcasts report", args: (ids) => ["broadcasts", "report", ids.broadcast, "--json"] },
  { of: "broadcasts recipients", args: (ids) => ["broadcasts", "recipients", ids.broadcast] },
  {
    of: "broadcasts recipients",
    args: (ids) => ["broadcasts", "recipients", ids.broadcast, "--json", "--status", "sent", "--filter", "replied=true"]
  },
  {
    of: "broadcasts recipients",
    args: (ids) => ["broadcasts", "recipients", ids.broadcast, "--filter", `contactId=${nobody}`]
  },
  {
    of: "tokens issue",
    args: () => ["tokens", "issue", ...as, "--name", "ERP", "--permission", "members.read", "--json"]
  },
  { of: "tokens issue", args: () => ["tokens", "issue", ...as, "--name", "ERP", "--permission", "members.read"] },
  { of: "tokens list", args: () => ["tokens", "list"] },
  { of: "tokens list", args: () => ["tokens", "list", "--json", "--limit", "1"] },
  { of: "tokens adopt", args: () => ["tokens", "adopt", ...as], made: token },
  { of: "tokens revoke", args: () => ["tokens", "revoke", "--yes"], made: token },
  { of: "tokens revoke", args: () => ["tokens", "revoke", nobody, "--yes"] },
  { of: "audit list", args: () => ["audit", "list", "--org", "acme"] },
  { of: "audit list", args: () => ["audit", "list", "--org", "acme", "--action", "member.joined", "--json"] },
  { of: "audit list", args: () => ["audit", "list", "--org", "acme", "--filter", "action=member.joined", "-q"] }
]

/** Commands for operators only, because they need the database. */
const ofOperators = [
  ["plugins", "catalogue", "list"],
  ["plugins", "catalogue", "add", "https://acme.example/plugin.json"],
  ["plugins", "catalogue", "remove", "acme-loyalty", "--yes"],
  ["orgs", "list"],
  ["orgs", "show", "acme"],
  ["orgs", "create", "More"],
  ["orgs", "suspend", "acme", "--yes"],
  ["orgs", "resume", "acme"],
  ["orgs", "set-plan", "acme", "scale"],
  ["users", "list"],
  ["users", "create", "eve@both.example"],
  ["users", "disable", "ann@both.example", "--yes"],
  ["users", "enable", "ann@both.example"],
  ["users", "reset-password", "ann@both.example", "--yes"],
  ["users", "reset-link", "ann@both.example"],
  ["members", "add", "ben@both.example", "--role", "agent"],
  ["migrate"],
  ["backup", "backup.parley"],
  ["restore", "backup.parley"],
  ["verify", "backup.parley"],
  ["hold", "show"],
  ["hold", "release", "--yes"],
  ["keys", "list"],
  ["keys", "rotate"],
  ["keys", "reencrypt"],
  ["demo", "emails"],
  ["workers"],
  ["consumers", "list"],
  ["consumers", "parked"],
  ["consumers", "replay", "crm.clear_tags"],
  ["consumers", "skip", "crm.clear_tags", "1", "--yes"],
  ["consumers", "rewind", "crm.clear_tags", "--to", "1", "--yes"],
  ["consumers", "forget", "crm.clear_tags", "--yes"],
  ["analytics", "check"],
  ["analytics", "rebuild"],
  ["operator", "token", "issue", "--name", "Billing", "--scope", "rate_cards.read"],
  ["operator", "token", "list"],
  ["operator", "token", "revoke", nobody, "--yes"],
  ["rate-cards", "list"],
  ["rate-cards", "show", "--currency", "EUR", "--valid-from", "2026-10-01"],
  ["rate-cards", "import", "eur-2026-10.csv"],
  ["rate-cards", "remove", "--currency", "EUR", "--valid-from", "2026-10-01", "--yes"],
  ["inbound", "list"],
  ["inbound", "show", nobody],
  ["inbound", "replay", nobody],
  ["inbound", "park", nobody, "--reason", "x"],
  ["audit", "list"]
] as const

/** Commands that run on this machine, or call a service as a person. */
const elsewhere = [
  "serve",
  "worker",
  "docs-link",
  "inbox",
  "login",
  "logout",
  "tokens print",
  "profiles list",
  "profiles use",
  "profiles remove",
  "doctor",
  "ready",
  "config",
  "completions",
  "events tail",
  "listen",
  "plugins dev",
  "values",
  "simulator chat",
  "simulator store",
  "keys generate-master"
]

const leavesOf = (command: Command.Command.Any, path: ReadonlyArray<string>): ReadonlyArray<string> => {
  const children = command.subcommands.flatMap(({ commands }) => commands)
  return children.length === 0 ? [path.join(" ")] : children.flatMap((child) => leavesOf(child, [...path, child.name]))
}

/** The outcome without values that differ in each run. */
const comparable = ({ code, err, out }: Outcome) => {
  const settled = (text: string) =>
    text
      .replaceAll(/[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/g, "<token>")
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, "<id>")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
      // On the database the author is an operator, on a service the logged-in user.
      .replaceAll(/^FROM +(?:operator|user)$/gm, "FROM <whoever writes>")
      .replaceAll(/[0-9a-f]{32}\.[\w-]{43}/g, "<token>")
      .replaceAll(/whsec_[A-Za-z0-9+/]{43}=/g, "<secret>")
      .replaceAll(/\d+ ms/g, "<took>")
      // A wait continues between the two commands.
      .replaceAll(/^(LONGEST +| +"longestSeconds": ).+$/gm, "$1<wait>,")
      .replaceAll(/^VERSION +\d+$/gm, "VERSION <n>")
      // Each target first creates its own automation after all others, so the positions differ.
      .replaceAll(/^PLACE +\d+$/gm, "PLACE <n>")
      .replaceAll(/"position": \d+,(?=\n +"when")/g, '"position": <n>,')
      // The number of drawn lines depends on the elapsed time.
      .replaceAll(/(?:\[[#.]+\] .*\n)*\[#{30}\] 100 % .*/g, "<done>")
  return { code, out: settled(out), err: settled(err) }
}

describe("commands on a database and on a service", () => {
  layer(Both.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect.each(
      cases.map(
        (each) =>
          [
            each
              .args({
                account: "<account>",
                broadcast: "<broadcast>",
                cart: "<cart>",
                contact: "<contact>",
                conversation: "<conversation>",
                customer: "<customer>",
                order: "<order>",
                product: "<product>",
                privacy: "<privacy>",
                store: "<store>",
                subscription: "<subscription>",
                delivery: "",
                import: "<import>",
                job: "<job>",
                folder: ""
              })
              .join(" "),
            each
          ] as const
      )
    )("say the same: parley %s", ([, { args, made }]) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { broadcastIn, database, folder, ids, readyRequest, server } = yield* Both
        const run = Effect.fnUntraced(function* (parley: typeof database) {
          const before = made === undefined ? [] : [yield* made({ broadcastIn, database, readyRequest })]
          const words = [...args({ ...ids, folder }), ...before]
          const outcome = comparable(yield* parley(...words))
          const output = words.find((word) => word.endsWith("contacts.csv") || word.endsWith("c.ndjson"))
          const written = output === undefined ? null : yield* fs.readFileString(output)
          if (output !== undefined) yield* fs.remove(output)
          return { ...outcome, written }
        })
        const onDatabase = yield* run(database)
        const onServer = yield* run(server)
        assert.deepStrictEqual(onServer, onDatabase)
      }).pipe(Effect.provide(NodeServices.layer))
    )

    it.effect.each(ofOperators.map((words) => [words.join(" "), words] as const))(
      "leave to operators what is theirs: parley %s",
      ([, words]) =>
        Effect.gen(function* () {
          const { server } = yield* Both
          const refused = yield* server(...words)
          assert.deepStrictEqual([refused.code, refused.out], [1, ""])
          assert.match(refused.err, /^parley: This command is for operators .* with --database-url or --data-dir/)
        })
    )

    it.effect.each(["serve", "worker", "demo", "doctor"])(
      "refuse a service where they run here: parley %s",
      (command) =>
        Effect.gen(function* () {
          const { address, database, server } = yield* Both
          for (const refused of [yield* server(command), yield* database(command, "--server", address)]) {
            assert.deepStrictEqual([refused.code, refused.out], [2, ""])
            assert.match(
              refused.err,
              new RegExp(`^parley: parley ${command} runs on this machine, .* leave out .+\\.$`)
            )
          }
        })
    )

    it.effect("say what a service is asked for instead of making a member", () =>
      Effect.gen(function* () {
        const { server } = yield* Both
        const refused = yield* server("members", "add", "ben@both.example", "--role", "agent")
        assert.match(refused.err, /parley members invite ben@both\.example --role agent$/)
      })
    )

    it.effect("are all tried here", () =>
      Effect.sync(() => {
        const tried = [
          ...cases.map((each) => each.of),
          ...ofOperators.map(([area, name, leaf]) => {
            if (["backup", "migrate", "restore", "verify", "workers"].includes(area)) return area
            return area === "plugins" || area === "operator" ? `${area} ${name} ${leaf}` : `${area} ${name}`
          }),
          ...elsewhere
        ]
        assert.deepStrictEqual(
          Array.from(new Set(tried)).toSorted(),
          Array.from(new Set(leavesOf(commands, []))).toSorted(),
          "Add the command to `cases`, `ofOperators` or `elsewhere` in packages/cli/test/targets.server.test.ts."
        )
      })
    )
  })
})
