import type { EmailMessage } from "@parley/domain/platform"
import { addressOf, docsUrlOf, isExposed, readSettings, type Settings } from "@parley/service/configuration"
import { Console, DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { announceAsText, logged } from "../console/logging.ts"
import { printJson } from "../console/print.ts"
import { announceEnd, endsWell, saysGoodbye, serviceFlags } from "../console/serviceProcess.ts"
import { mailFolderOf, welcome, writeDemoFile } from "../demo/demoFile.ts"
import { closeDemo, demoTenants, ensureDemo } from "../demo/tenants.ts"
import { parley, sharedSettings } from "../parley.ts"
import { requireDatabase, requireThisMachine } from "../tenant/target.ts"

const whyNoDemo = (settings: Settings) => {
  if (settings.databaseUrl.value !== null) return "The demo has no tenants, because you configured your own database."
  return isExposed(settings)
    ? "The demo has no tenants, because other machines can reach this service. Stop it and create your own: parley orgs create, parley users create."
    : null
}

/** Allows the loopback interface for the plugin of the demo. Other users cannot reach the demo, so they cannot send requests here. */
const withLoopback = (settings: Settings): Settings =>
  settings.webhookAllowLoopback.source === "default"
    ? { ...settings, webhookAllowLoopback: { ...settings.webhookAllowLoopback, value: "on" } }
    : settings

const withProvider = (settings: Settings, url: string): Settings => ({
  ...settings,
  chatApiUrl: { ...settings.chatApiUrl, value: url }
})

/** Announces a stored mail. The demo sends no mail. */
const announceMail = (mail: EmailMessage) =>
  Console.error(`An email to ${mail.to} (“${mail.subject}”) was stored. Show it: npm run -s emails`)

const protect = (settings: Settings) => (isExposed(settings) ? closeDemo : Effect.void)

const [{ organization }] = demoTenants

const none =
  "The demo has no emails yet. Invite a member, or request a password reset: POST /api/v1/auth/password/forgot"

/** Shows the mails that the demo has stored instead of sending them. */
const emails = Command.make(
  "emails",
  { json: Flags.json },
  Effect.fn(function* ({ json }) {
    const settings = yield* sharedSettings
    yield* requireDatabase(settings, "")
    const { mailsIn } = yield* Effect.promise(() => import("@parley/simulators/mail"))
    const kept = yield* mailsIn(mailFolderOf(settings))
    if (json) {
      return yield* printJson(
        kept.map(({ sentAt, subject, text, to }) => ({ sentAt: DateTime.formatIso(sentAt), to, subject, text }))
      )
    }
    if (kept.length === 0) return yield* Console.log(none)
    yield* Effect.forEach(
      kept,
      ({ sentAt, subject, text, to }) =>
        Console.log(
          `To: ${to}\nSent: ${DateTime.formatIso(sentAt)}\nSubject: ${subject}\n\n${text}\n${"-".repeat(72)}`
        ),
      { discard: true }
    )
  })
).pipe(
  Command.withDescription("Show the emails that the demo stores instead of sending"),
  Command.withExamples([{ command: "npm run -s emails" }])
)

/** Runs the service on the embedded database, with two organizations for trials. */
export const demo = Command.make(
  "demo",
  serviceFlags,
  Effect.fn(function* (flags) {
    const chosen = yield* readSettings({ ...(yield* parley), ...flags })
    yield* requireThisMachine(chosen, "demo")
    const { serve } = yield* Effect.promise(() => import("@parley/service"))
    const { keptMail } = yield* Effect.promise(() => import("../demo/provider.ts"))
    const { connectDemoChat, openDemoChat, startDemoProvider } = yield* Effect.promise(
      () => import("../demo/provider.ts")
    )
    const reason = whyNoDemo(chosen)
    const provider = reason === null && chosen.chatApiUrl.value === null ? yield* startDemoProvider : null
    const { openDemoPlugin } = yield* Effect.promise(() => import("../demo/plugin.ts"))
    const { openDemoWorkflow } = yield* Effect.promise(() => import("../demo/workflow.ts"))
    const { openDemoStore, placeDemoStore, withDemoStore } = yield* Effect.promise(() => import("../demo/store.ts"))
    const hasOwnStores = chosen.storeClientId.value !== null || chosen.storeApiUrl.value !== null
    const store = reason === null && !hasOwnStores ? yield* placeDemoStore : null
    const withChat = provider === null ? chosen : withProvider(chosen, provider.url)
    const withStore = store === null ? withChat : withDemoStore(withChat, store.url)
    const settings = reason === null ? withLoopback(withStore) : withStore
    const address = addressOf(settings)
    const simulator = provider?.url ?? null
    const dataDir = settings.dataDir.value
    // The service starts in any state of the number.
    const connected =
      provider === null
        ? Effect.succeed(null)
        : Effect.catch(connectDemoChat(provider), (error) =>
            Effect.as(Effect.logWarning("The chat of the demo is not available", error), null)
          )
    const prepareDemo = Effect.gen(function* () {
      const demo = yield* ensureDemo(dataDir, address, { simulator, store: store?.url ?? null })
      return { demo, line: yield* connected }
    })
    const prepare = reason === null ? prepareDemo : Effect.as(protect(settings), null)
    const keepsMails = reason === null && settings.smtpUrl.value === null
    const { moveOlderDemo } = yield* Effect.promise(() => import("../demo/olderData.ts"))
    const serveDemo = serve(settings, {
      works: true,
      migrates: true,
      mail: keepsMails ? keptMail(settings, announceMail) : null,
      drains: false,
      before: prepare,
      stopping: announceEnd(announceAsText),
      ready: Effect.fnUntraced(function* (prepared) {
        yield* endsWell
        if (prepared === null) {
          yield* Console.error(reason)
          return yield* Console.log(`Parley listens on ${address}`)
        }
        const { demo, line } = prepared
        yield* writeDemoFile(dataDir, demo)
        if (provider !== null && line !== null) openDemoChat(provider, line)
        const { demoDocsLink } = yield* Effect.promise(() => import("../server/login.ts"))
        // The demo also starts without the link.
        const docsLink = yield* Effect.catch(demoDocsLink(settings, organization.slug), (error) =>
          Effect.as(Effect.logWarning("The link to the documentation is not available", error), docsUrlOf(settings))
        )
        yield* Console.log(welcome(demo, `${dataDir}/demo.json`, docsLink))
        const isReachable = settings.webhookAllowLoopback.value === "on"
        const openStore = store === null ? Effect.void : openDemoStore(store.port)
        const openWorkflow = store === null || line === null ? Effect.void : openDemoWorkflow(line, store.url)
        const openPlugin = openDemoPlugin({ address, dataDir, hasStore: store !== null }, simulator)
        const opened = Effect.andThen(openStore, openWorkflow)
        yield* Effect.forkScoped(isReachable ? Effect.andThen(opened, openPlugin) : opened)
      })
    })
    return yield* serveDemo.pipe(
      Effect.catchTag("DatabaseUnusable", (error) => Effect.andThen(moveOlderDemo(settings, error), serveDemo)),
      saysGoodbye(announceAsText),
      logged(settings, "Warn")
    )
  }, Effect.scoped)
).pipe(
  Command.withExamples([
    { command: "npm start" },
    { command: "npm start -- --port 9000", description: "On another port" },
    {
      command: "npm start -- --host 0.0.0.0",
      description: "For other machines too, without the demo tenants"
    }
  ]),
  Command.withSubcommands([emails])
)
