import { CurrentOrganization } from "@parley/domain/kernel"
import {
  type Organization,
  OrganizationDirectory,
  rotateSigningKey,
  type SigningKeySummary,
  TokenSigner
} from "@parley/domain/platform"
import { reencryptSuppressions } from "@parley/domain/crm"
import { reencryptChatSecrets } from "@parley/domain/messaging"
import { reencryptTriggerSecrets } from "@parley/domain/automation"
import { reencryptPluginSecrets, reencryptWebhookSecrets } from "@parley/domain/integrations"
import { reencryptStoreSecrets } from "@parley/domain/commerce"
import { Console, DateTime, Effect, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { pageFlags } from "../console/listing.ts"
import { printJson, table } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { operate } from "../tenant/target.ts"

const summaryOf = ({ active, createdAt, kid }: SigningKeySummary) => ({
  kid,
  createdAt: DateTime.formatIso(createdAt),
  active
})

const printKeys = (keys: ReadonlyArray<SigningKeySummary>) =>
  Console.log(
    table(keys.map(summaryOf), [
      { heading: "KID", of: ({ kid }) => kid },
      { heading: "CREATED", of: ({ createdAt }) => createdAt },
      { heading: "USE", of: ({ active }) => (active ? "signs and verifies" : "verifies") }
    ])
  )

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* ({ json, limit, quiet }) {
    yield* operate(
      Effect.gen(function* () {
        const keys = (yield* (yield* TokenSigner).keys).slice(0, limit)
        if (json) return yield* printJson(keys.map(summaryOf))
        if (quiet) return yield* Effect.forEach(keys, ({ kid }) => Console.log(kid), { discard: true })
        yield* printKeys(keys)
      })
    )
  })
).pipe(Command.withDescription("List the keys that sign and verify tokens, newest first"), Command.withAlias("ls"))

const rotate = Command.make(
  "rotate",
  { json: Flags.json },
  Effect.fn(function* ({ json }) {
    yield* operate(Effect.flatMap(rotateSigningKey(), (key) => (json ? printJson(summaryOf(key)) : printKeys([key]))))
  })
).pipe(Command.withDescription("Sign new tokens with a new key. Issued tokens stay valid"))

const pageSize = 100

/** Reseals the secrets of all organizations, one after the other. */
const sealAgain = Effect.gen(function* () {
  const directory = yield* OrganizationDirectory
  let after: ReadonlyArray<string> | null = null
  let numbers = 0
  let lists = 0
  let stores = 0
  let webhookSubscriptions = 0
  let plugins = 0
  let triggerUrls = 0
  for (;;) {
    const organizations: ReadonlyArray<Organization> = yield* directory.list({ limit: pageSize, after })
    for (const { id } of organizations) {
      const inside = Effect.provideService(CurrentOrganization, { id })
      numbers += yield* inside(reencryptChatSecrets())
      stores += yield* inside(reencryptStoreSecrets())
      webhookSubscriptions += yield* inside(reencryptWebhookSecrets())
      plugins += yield* inside(reencryptPluginSecrets())
      triggerUrls += yield* inside(reencryptTriggerSecrets())
      if (yield* inside(reencryptSuppressions())) lists += 1
    }
    const last = organizations.at(-1)
    if (last === undefined || organizations.length < pageSize)
      return { chatAccounts: numbers, stores, webhookSubscriptions, plugins, triggerUrls, suppressionLists: lists }
    after = [last.id]
  }
})

const reencrypt = Command.make(
  "reencrypt",
  { json: Flags.json },
  Effect.fn(function* ({ json }) {
    yield* operate(
      Effect.flatMap(sealAgain, (sealed) =>
        json
          ? printJson(sealed)
          : Console.log(
              `Reencrypted with the newest master key: the secrets of ${sealed.chatAccounts} chat accounts, ${sealed.stores} stores, ${sealed.webhookSubscriptions} webhook subscriptions, ${sealed.plugins} plugins and ${sealed.triggerUrls} trigger URLs, and the keys of ${sealed.suppressionLists} suppression lists.`
            )
      )
    )
  })
).pipe(
  Command.withDescription(
    "Encrypt all secrets in the database with the newest master key: chat accounts, stores, webhook subscriptions, plugins, trigger URLs, suppression lists"
  )
)

const generateMaster = Command.make(
  "generate-master",
  {
    id: typedFlag(
      "id",
      Schema.String.check(
        Schema.isPattern(/^[A-Za-z0-9_-]{1,32}$/, { message: "Expected 1 to 32 letters, digits, - and _" })
      )
    ).pipe(Flag.withDescription("Id of the key, different from the existing ones (k1)"), Flag.withDefault("k1"))
  },
  Effect.fn(function* ({ id }) {
    const { generateMasterKey } = yield* Effect.promise(() => import("@parley/service/keys"))
    yield* Console.log(Redacted.value(yield* generateMasterKey(id)))
  })
).pipe(
  Command.withDescription(
    "Create a master key for PARLEY_MASTER_KEYS. Add it at the end of the list on every node, then move it to the front"
  ),
  Command.withExamples([
    { command: "export PARLEY_MASTER_KEYS=$(parley keys generate-master)" },
    {
      command: "export PARLEY_MASTER_KEYS=$PARLEY_MASTER_KEYS,$(parley keys generate-master --id k2)",
      description: "Decrypt with a new key on every node. Then move it to the front to encrypt with it"
    }
  ])
)

export const keys = Command.make("keys").pipe(Command.withSubcommands([list, rotate, reencrypt, generateMaster]))
