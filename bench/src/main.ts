import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { analytics } from "./analytics/analytics.ts"
import { automations } from "./automations/automations.ts"
import { runLists } from "./automations/runLists.ts"
import { audienceCommand } from "./campaigns/audience.ts"
import { broadcastFairness } from "./campaigns/fairness/fairness.ts"
import { broadcastLedger } from "./campaigns/ledger/ledger.ts"
import { broadcastSend } from "./campaigns/send/send.ts"
import { webhooksDuty } from "./chat/duty.ts"
import { posts } from "./chat/posts.ts"
import { sends } from "./chat/sends/sends.ts"
import { webhooks } from "./chat/webhooks.ts"
import { contactsCommand } from "./crm/contacts.ts"
import { contactsImport } from "./crm/importing.ts"
import { contactsList } from "./crm/list.ts"
import { contactsRead } from "./crm/read.ts"
import { contactsSearch } from "./crm/search/search.ts"
import { contactsWrite } from "./crm/write.ts"
import { seedContactsCommand } from "./crm/seed.ts"
import { deliveries } from "./deliveries/deliveries.ts"
import { inboxList } from "./inbox/list.ts"
import { inboxSearch } from "./inbox/search.ts"
import { seedInboxCommand } from "./inbox/seed.ts"
import { login } from "./login/login.ts"
import { p1 } from "./p1/p1.ts"
import { p3 } from "./p3/p3.ts"
import { profile } from "./profile/profile.ts"
import { commerceAudience } from "./stores/commerceAudience.ts"
import { storeDeliveries } from "./stores/deliveries/storeDeliveries.ts"
import { storeImport } from "./stores/import/storeImport.ts"
import { webhooksOut } from "./webhooks/webhooksOut.ts"
import { workflows } from "./workflows/workflows.ts"

Command.make("bench").pipe(
  Command.withDescription("Measures the service: one command per bar"),
  Command.withSubcommands([
    p1,
    p3,
    login,
    profile,
    seedContactsCommand,
    contactsCommand,
    contactsRead,
    contactsList,
    contactsWrite,
    contactsImport,
    contactsSearch,
    audienceCommand,
    commerceAudience,
    storeImport,
    storeDeliveries,
    broadcastLedger,
    broadcastSend,
    broadcastFairness,
    deliveries,
    webhooks,
    webhooksDuty,
    webhooksOut,
    automations,
    runLists,
    workflows,
    posts,
    sends,
    analytics,
    seedInboxCommand,
    inboxList,
    inboxSearch
  ]),
  Command.run({ version: "0.1.0" }),
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
