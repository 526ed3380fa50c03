/**
 * The commands of `parley` by groups. Only the modules of the commands in a command line are loaded, because loading all of them takes most of the
 * time of a short command.
 */
export const commandTable = [
  {
    group: "Service",
    commands: [
      {
        name: "serve",
        description: "Serve the API and run background tasks until SIGTERM or Ctrl-C",
        load: () => import("./commands/serve.ts").then((module) => module.serve)
      },
      {
        name: "worker",
        description: "Run background tasks until SIGTERM or Ctrl-C",
        load: () => import("./commands/serve.ts").then((module) => module.worker)
      },
      {
        name: "workers",
        description: "Show the workers, and the number and age of waiting tasks",
        load: () => import("./commands/workers.ts").then((module) => module.workers)
      },
      {
        name: "consumers",
        description: "Event consumers: list, parked, replay, skip, rewind, forget",
        load: () => import("./commands/consumers.ts").then((module) => module.consumers)
      },
      {
        name: "demo",
        description: "Run the service with two sample tenants: emails",
        load: () => import("./commands/demo.ts").then((module) => module.demo)
      },
      {
        name: "migrate",
        description: "Update the database schema, and create the embedded database if none is configured",
        load: () => import("./commands/migrate.ts").then((module) => module.migrate)
      },
      {
        name: "backup",
        description: "Write a backup of the database to a file, next to a running service",
        load: () => import("./commands/backup/backup.ts").then((module) => module.backup)
      },
      {
        name: "restore",
        description: "Restore a backup into an empty database, which is then on hold",
        load: () => import("./commands/backup/restore.ts").then((module) => module.restore)
      },
      {
        name: "verify",
        description: "Check a backup: its hashes, and a restore into a scratch database",
        load: () => import("./commands/backup/verify.ts").then((module) => module.verify)
      },
      {
        name: "hold",
        description: "Hold of a restored installation: show, release",
        load: () => import("./commands/backup/hold.ts").then((module) => module.hold)
      },
      {
        name: "doctor",
        description: "Check configuration, database, keys and machine, and print a remedy for each problem",
        load: () => import("./commands/doctor/doctor.ts").then((module) => module.doctor)
      },
      {
        name: "ready",
        description: "Check whether the service on this machine is ready, as a health check",
        load: () => import("./commands/ready.ts").then((module) => module.ready)
      },
      {
        name: "config",
        description: "Show each setting with its value and source; secrets are hidden",
        load: () => import("./commands/config.ts").then((module) => module.config)
      },
      {
        name: "keys",
        description: "Keys: list, rotate, reencrypt, generate-master",
        load: () => import("./commands/keys.ts").then((module) => module.keys)
      },
      {
        name: "inbound",
        description: "Inbound deliveries from providers: list, show, replay, park",
        load: () => import("./commands/inbound.ts").then((module) => module.inbound)
      },
      {
        name: "operator",
        description: "Access of programs to the operators' API: token",
        load: () => import("./commands/operator.ts").then((module) => module.operator)
      },
      {
        name: "rate-cards",
        description: "Prices of chat providers, for operators: import, list, show, remove",
        load: () => import("./commands/rateCards.ts").then((module) => module.rateCards)
      },
      {
        name: "simulator",
        description: "Provider simulators on this machine: chat, store",
        load: () => import("./commands/simulator.ts").then((module) => module.simulator)
      }
    ]
  },
  {
    group: "Login",
    commands: [
      {
        name: "login",
        description: "Log in to a service, so that other commands use it",
        load: () => import("./commands/login.ts").then((module) => module.login)
      },
      {
        name: "logout",
        description: "End a login; the profile stays without tokens",
        load: () => import("./commands/login.ts").then((module) => module.logout)
      },
      {
        name: "profiles",
        description: "Logins to services: list, use, remove",
        load: () => import("./commands/profiles.ts").then((module) => module.profiles)
      },
      {
        name: "docs-link",
        description: "Create a link that opens the documentation signed in, once and within 60 seconds",
        load: () => import("./commands/login.ts").then((module) => module.docsLink)
      }
    ]
  },
  {
    group: "Organizations",
    commands: [
      {
        name: "orgs",
        alias: "org",
        description: "Organizations: create, list, show, suspend, resume, set-plan",
        load: () => import("./commands/orgs.ts").then((module) => module.orgs)
      },
      {
        name: "users",
        alias: "user",
        description: "Users: create, list, disable, enable, reset-password, reset-link",
        load: () => import("./commands/users.ts").then((module) => module.users)
      },
      {
        name: "members",
        alias: "member",
        description: "Members: add, invite, list, remove, set-role, availability",
        load: () => import("./commands/members.ts").then((module) => module.members)
      },
      {
        name: "tokens",
        alias: "token",
        description: "Automation tokens: issue, list, adopt, revoke; print the token of your login",
        load: () => import("./commands/tokens.ts").then((module) => module.tokens)
      },
      {
        name: "audit",
        description: "Audit trail: list",
        load: () => import("./commands/audit.ts").then((module) => module.audit)
      },
      {
        name: "jobs",
        description: "Background jobs of an organization: list, show",
        load: () => import("./commands/jobs.ts").then((module) => module.jobs)
      },
      {
        name: "schedules",
        description: "Business hours: list, show, create, update, delete, status",
        load: () => import("./commands/schedules.ts").then((module) => module.schedules)
      }
    ]
  },
  {
    group: "Messaging",
    commands: [
      {
        name: "contacts",
        description: "Contacts: list, runs, import, import-errors, export",
        load: () => import("./commands/contacts/contacts.ts").then((module) => module.contacts)
      },
      {
        name: "chat-accounts",
        description:
          "Connected chat numbers: list, check, onboarding, add-number, request-code, verify-code, register, deregister, change-pin, subscribe",
        load: () => import("./commands/chatAccounts/chatAccounts.ts").then((module) => module.chatAccounts)
      },
      {
        name: "templates",
        description:
          "Message templates: list, show, preview, create, submit, edit, unpause, archive, upsert-authentication, delete, library, sync",
        load: () => import("./commands/templates.ts").then((module) => module.templates)
      },
      {
        name: "conversations",
        description: "Conversations: list, show, send, unread",
        load: () => import("./commands/conversations.ts").then((module) => module.conversations)
      },
      {
        name: "messages",
        description: "Messages of all conversations: search",
        load: () => import("./commands/messages.ts").then((module) => module.messages)
      },
      {
        name: "inbox",
        description: "Read and answer conversations live in the terminal",
        load: () => import("./commands/inbox/inbox.ts").then((module) => module.inbox)
      },
      {
        name: "broadcasts",
        description: "Broadcasts: create, preview, send, schedule, pause, report, retry and more",
        load: () => import("./commands/broadcasts/broadcasts.ts").then((module) => module.broadcasts)
      },
      {
        name: "analytics",
        description: "Charts and figures; check and rebuild them",
        load: () => import("./commands/analytics/analytics.ts").then((module) => module.analytics)
      }
    ]
  },
  {
    group: "Integrations",
    commands: [
      {
        name: "stores",
        description: "Online stores: connect, authorize, sync, orders, carts, customers, products and more",
        load: () => import("./commands/stores/stores.ts").then((module) => module.stores)
      },
      {
        name: "webhooks",
        description: "Webhook subscriptions: create, test, deliveries, redeliver, replay and more",
        load: () => import("./commands/webhooks/webhooks.ts").then((module) => module.webhooks)
      },
      {
        name: "events",
        description: "Events of an organization: tail, types",
        load: () => import("./commands/events/events.ts").then((module) => module.events)
      },
      {
        name: "listen",
        description: "Print events as webhooks, and forward them to a URL on your machine",
        load: () => import("./commands/events/listen.ts").then((module) => module.listen)
      },
      {
        name: "plugins",
        description: "Plugins: install, update, upgrade, deliveries, catalogue and more",
        load: () => import("./commands/plugins/plugins.ts").then((module) => module.plugins)
      },
      {
        name: "automations",
        description: "Automations: create, update, enable, disable, reorder, test, runs, pause, resume and more",
        load: () => import("./commands/automations/automations.ts").then((module) => module.automations)
      },
      {
        name: "workflows",
        description: "Workflows: create, update, validate, test, publish, migrate-runs, runs and more",
        load: () => import("./commands/workflows/workflows.ts").then((module) => module.workflows)
      }
    ]
  },
  {
    group: "Shell",
    commands: [
      {
        name: "completions",
        description: "Print a completion script for a shell",
        load: () => import("./commands/completions.ts").then((module) => module.completions)
      },
      {
        name: "values",
        description: "Print the values for one position of a command line",
        load: () => import("./commands/values.ts").then((module) => module.values)
      }
    ]
  }
] as const
