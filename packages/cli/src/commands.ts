import { Console } from "effect"
import { Argument, Command, Completions } from "effect/cli"
import { analytics } from "./analytics.ts"
import { audit } from "./audit.ts"
import { automations } from "./automations.ts"
import { broadcasts } from "./broadcasts.ts"
import { chatAccounts } from "./chatAccounts.ts"
import { completionScript } from "./completionScript.ts"
import { config } from "./config.ts"
import { contacts } from "./contacts.ts"
import { conversations } from "./conversations.ts"
import { demo } from "./demo.ts"
import { docsLink } from "./docsLink.ts"
import { doctor } from "./doctor.ts"
import { events } from "./events.ts"
import { inbox } from "./inbox.ts"
import { key } from "./key.ts"
import { listen } from "./listen.ts"
import { login } from "./login.ts"
import { logout } from "./logout.ts"
import { mails } from "./mails.ts"
import { member } from "./member.ts"
import { messages } from "./messages.ts"
import { migrate } from "./migrate.ts"
import { org } from "./org.ts"
import { parley } from "./parley.ts"
import { plugins } from "./plugins.ts"
import { workflows } from "./workflows.ts"
import { profiles } from "./profiles.ts"
import { schedules } from "./schedules.ts"
import { serve } from "./serve.ts"
import { simulator } from "./simulator.ts"
import { stores } from "./stores.ts"
import { subscribers } from "./subscribers.ts"
import { subscriptions } from "./subscriptions.ts"
import { templates } from "./templates.ts"
import { token } from "./token.ts"
import { user } from "./user.ts"
import { values } from "./values.ts"
import { webhooks } from "./webhooks.ts"
import { work } from "./work.ts"
import { workers } from "./workers.ts"

const all = [
  serve,
  work,
  workers,
  subscribers,
  demo,
  docsLink,
  login,
  logout,
  profiles,
  migrate,
  doctor,
  org,
  user,
  member,
  contacts,
  chatAccounts,
  templates,
  conversations,
  messages,
  broadcasts,
  stores,
  subscriptions,
  events,
  listen,
  plugins,
  automations,
  workflows,
  schedules,
  analytics,
  inbox,
  mails,
  webhooks,
  token,
  key,
  audit,
  simulator,
  config
] as const

const tree = parley.pipe(Command.withSubcommands(all))

/** The command tree as completions know it. */
export const described = Completions.fromCommand(tree)

/** Prints a completion script. It is part of the tree that it describes, and so is added last. */
const completions = Command.make(
  "completions",
  { shell: Argument.Literals("shell", ["bash", "zsh", "fish", "powershell"]) },
  ({ shell }) => Console.log(completionScript(shell, described))
).pipe(
  Command.withDescription("Print a completion script for your shell"),
  Command.withExamples([{ command: "source <(parley completions bash)" }])
)

/** The whole command tree. */
export const commands = parley.pipe(Command.withSubcommands([...all, completions, values]))
