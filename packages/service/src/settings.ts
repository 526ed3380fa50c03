import { type Redacted, Schema } from "effect"
import {
  DatabaseUrl,
  HttpUrl,
  LongSecret,
  MailFrom,
  Origins,
  Scopes,
  Secret,
  Secrets,
  type Setting,
  SmtpUrl,
  wholeNumber
} from "./Setting.ts"

const setting = <A>(options: Omit<Setting<A>, "secret"> & { readonly secret?: boolean }): Setting<A> => ({
  secret: false,
  ...options
})

const unset = (shown: string) => ({ value: null, shown })

const initially = <const A extends string | number>(value: A) => ({ value, shown: String(value) })

const logLevels = ["trace", "debug", "info", "warn", "error", "none"] as const

/** Versions of Shopify's API that the adapter supports. The adapter is not imported here, because every command reads the settings. */
const storeApiVersions = ["2026-07", "2026-10"] as const

export const catalogue = {
  databaseUrl: setting<Redacted.Redacted | null>({
    variable: "PARLEY_DATABASE_URL",
    flag: "database-url",
    about: "URL of the PostgreSQL database. Default: an embedded database in the data folder",
    expected:
      "an address such as postgres://user:password@host:5432/database, or of several servers: postgres://user:password@one:5432,two:5432/database",
    schema: DatabaseUrl,
    fallback: unset("embedded"),
    secret: true
  }),
  databasePassword: setting<Redacted.Redacted | null>({
    variable: "PARLEY_DATABASE_PASSWORD",
    flag: null,
    about: "Password for a database URL without one",
    expected: "at most 1000 characters",
    schema: Schema.RedactedFromValue(Schema.String.check(Schema.isMaxLength(1000))),
    fallback: unset("in the database URL"),
    secret: true
  }),
  dataDir: setting<string>({
    variable: "PARLEY_DATA_DIR",
    flag: "data-dir",
    about: "Folder of the embedded database and its keys",
    expected: "a folder",
    schema: Schema.String,
    fallback: initially(".parley")
  }),
  server: setting<string | null>({
    variable: "PARLEY_SERVER",
    flag: "server",
    about: "URL of the Parley service that commands call. Default: the database",
    expected: "an address such as https://parley.example",
    schema: HttpUrl,
    fallback: unset("none")
  }),
  profile: setting<string | null>({
    variable: "PARLEY_PROFILE",
    flag: "profile",
    about: "Login that commands use, by its name in `parley profiles list`",
    expected: "1 to 64 letters, digits and . _ -, the first of them a letter or a digit",
    schema: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)),
    fallback: unset("the one in use")
  }),
  configDir: setting<string | null>({
    variable: "PARLEY_CONFIG_DIR",
    flag: "config-dir",
    about: "Folder of your logins",
    expected: "a folder",
    schema: Schema.NonEmptyString,
    fallback: unset("<XDG_CONFIG_HOME or ~/.config>/parley")
  }),
  masterKeys: setting<Redacted.Redacted | null>({
    variable: "PARLEY_MASTER_KEYS",
    flag: null,
    about: "Keys that encrypt secrets in the database, newest first",
    expected: "what `parley keys generate-master` prints",
    schema: Schema.RedactedFromValue(Schema.String),
    fallback: unset("<data folder>/master-keys"),
    secret: true
  }),
  passwordMinLength: setting<number>({
    variable: "PARLEY_PASSWORD_MIN_LENGTH",
    flag: "password-min-length",
    about: "Minimum length of new passwords, in characters",
    expected: "a whole number from 8 to 64",
    schema: wholeNumber(8, 64),
    fallback: initially(8)
  }),
  poolSize: setting<number>({
    variable: "PARLEY_POOL_SIZE",
    flag: "pool-size",
    about: "Maximum number of database connections",
    expected: "a whole number from 1 to 500",
    schema: wholeNumber(1, 500),
    fallback: initially(10)
  }),
  databaseSeconds: setting<number>({
    variable: "PARLEY_DATABASE_TIMEOUT_SECONDS",
    flag: "database-timeout-seconds",
    about: "Maximum total database time of a request, in seconds",
    expected: "a whole number from 1 to 60",
    schema: wholeNumber(1, 60),
    fallback: initially(5)
  }),
  databaseJobSeconds: setting<number>({
    variable: "PARLEY_DATABASE_JOB_TIMEOUT_SECONDS",
    flag: "database-job-timeout-seconds",
    about: "Maximum time of one statement of a job, an export or a command, in seconds",
    expected: "a whole number from 1 to 3600",
    schema: wholeNumber(1, 3600),
    fallback: initially(30)
  }),
  drainSeconds: setting<number>({
    variable: "PARLEY_DRAIN_SECONDS",
    flag: "drain-seconds",
    about: "Time that the server continues to serve after the stop signal, in seconds",
    expected: "a whole number from 0 to 300",
    schema: wholeNumber(0, 300),
    fallback: initially(5)
  }),
  host: setting<string>({
    variable: "PARLEY_HOST",
    flag: "host",
    about: "Address to listen on; 0.0.0.0 for every address of this machine",
    expected: "an address or a host name",
    schema: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._:%-]+$/)),
    fallback: initially("127.0.0.1")
  }),
  port: setting<number>({
    variable: "PARLEY_PORT",
    flag: "port",
    about: "Port to listen on",
    expected: "a port from 1 to 65535",
    schema: wholeNumber(1, 65_535),
    fallback: initially(8787)
  }),
  baseUrl: setting<string | null>({
    variable: "PARLEY_BASE_URL",
    flag: "base-url",
    about: "URL under which clients reach the service",
    expected: "an address such as https://parley.example",
    schema: HttpUrl,
    fallback: unset("http://<host>:<port>")
  }),
  docsUrl: setting<string | null>({
    variable: "PARLEY_DOCS_URL",
    flag: "docs-url",
    about: "URL of the documentation site",
    expected: "an address such as https://parley.example/docs",
    schema: HttpUrl,
    fallback: unset("<base address>/docs")
  }),
  corsOrigins: setting<ReadonlyArray<string>>({
    variable: "PARLEY_CORS_ORIGINS",
    flag: "cors-origins",
    about: "Origins whose pages can call the API from a browser, separated by commas",
    expected: "origins such as https://app.example,https://admin.example",
    schema: Origins,
    fallback: { value: [], shown: "none" }
  }),
  trustedProxyHops: setting<number>({
    variable: "PARLEY_TRUSTED_PROXY_HOPS",
    flag: "trusted-proxy-hops",
    about: "Number of your proxies in front of the service",
    expected: "a whole number from 0 to 10",
    schema: wholeNumber(0, 10),
    fallback: initially(0)
  }),
  tokenPerMinute: setting<number>({
    variable: "PARLEY_RATE_LIMIT_PER_TOKEN",
    flag: "rate-limit-per-token",
    about: "Maximum requests of a token per minute",
    expected: "a whole number from 1 to 10000000",
    schema: wholeNumber(1, 10_000_000),
    fallback: initially(6000)
  }),
  organizationPerMinute: setting<number>({
    variable: "PARLEY_RATE_LIMIT_PER_ORGANIZATION",
    flag: "rate-limit-per-organization",
    about: "Maximum requests of an organization per minute",
    expected: "a whole number from 1 to 100000000",
    schema: wholeNumber(1, 100_000_000),
    fallback: initially(30_000)
  }),
  addressPerMinute: setting<number>({
    variable: "PARLEY_RATE_LIMIT_PER_ADDRESS",
    flag: "rate-limit-per-address",
    about: "Maximum requests without a token of an address per minute",
    expected: "a whole number from 1 to 10000000",
    schema: wholeNumber(1, 10_000_000),
    fallback: initially(600)
  }),
  maxBodyBytes: setting<number>({
    variable: "PARLEY_MAX_BODY_BYTES",
    flag: "max-body-bytes",
    about: "Maximum size of a request body, in bytes",
    expected: "a whole number from 1024 to 104857600",
    schema: wholeNumber(1024, 104_857_600),
    fallback: initially(1_048_576)
  }),
  maxWebhookBytes: setting<number>({
    variable: "PARLEY_MAX_WEBHOOK_BYTES",
    flag: "max-webhook-bytes",
    about: "Maximum size of a webhook delivery from a provider, in bytes",
    expected: "a whole number from 1024 to 104857600",
    schema: wholeNumber(1024, 104_857_600),
    fallback: initially(3_145_728)
  }),
  maxImportBytes: setting<number>({
    variable: "PARLEY_MAX_IMPORT_BYTES",
    flag: "max-import-bytes",
    about: "Maximum size of an import file, in bytes",
    expected: "a whole number from 1024 to 2147483647",
    schema: wholeNumber(1024, 2_147_483_647),
    fallback: initially(1_073_741_824)
  }),
  processes: setting<number | "auto">({
    variable: "PARLEY_PROCESSES",
    flag: "processes",
    about: "Number of processes that share the work of this machine",
    expected: "a whole number from 1 to 64, or auto for one on each core",
    schema: Schema.Union([Schema.Literal("auto"), wholeNumber(1, 64)]),
    fallback: initially(1)
  }),
  accessLog: setting<"on" | "off">({
    variable: "PARLEY_ACCESS_LOG",
    flag: "access-log",
    about: "Whether to log every request, or only failures",
    expected: "on or off",
    schema: Schema.Literals(["on", "off"]),
    fallback: initially("on")
  }),
  metricsHost: setting<string>({
    variable: "PARLEY_METRICS_HOST",
    flag: "metrics-host",
    about: "Address of the metrics port",
    expected: "an address or a host name",
    schema: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._:%-]+$/)),
    fallback: initially("127.0.0.1")
  }),
  metricsPort: setting<number | null>({
    variable: "PARLEY_METRICS_PORT",
    flag: "metrics-port",
    about: "Dedicated port for the metrics. Default: the API port, if only this machine reaches it or a token is set",
    expected: "a port from 1 to 65535",
    schema: wholeNumber(1, 65_535),
    fallback: unset("API port")
  }),
  metricsToken: setting<Redacted.Redacted | null>({
    variable: "PARLEY_METRICS_TOKEN",
    flag: null,
    about: "Token that Prometheus sends to read the metrics: `Authorization: Bearer <token>`",
    expected: "16 to 1000 printable characters without spaces",
    schema: LongSecret,
    fallback: unset("none"),
    secret: true
  }),
  operatorApi: setting<"off" | "public">({
    variable: "PARLEY_OPERATOR_API",
    flag: "operator-api",
    about: "Whether the API port also serves /api/v1/operator, for operator tokens",
    expected: "off or public",
    schema: Schema.Literals(["off", "public"]),
    fallback: initially("off")
  }),
  operatorHost: setting<string>({
    variable: "PARLEY_OPERATOR_HOST",
    flag: "operator-host",
    about: "Address of the operators' port",
    expected: "an address or a host name",
    schema: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._:%-]+$/)),
    fallback: initially("127.0.0.1")
  }),
  operatorPort: setting<number | null>({
    variable: "PARLEY_OPERATOR_PORT",
    flag: "operator-port",
    about: "Dedicated port for /api/v1/operator, for operator tokens",
    expected: "a port from 1 to 65535",
    schema: wholeNumber(1, 65_535),
    fallback: unset("none")
  }),
  chatApiUrl: setting<string | null>({
    variable: "PARLEY_CHAT_API_URL",
    flag: "chat-api-url",
    about: "URL of the chat provider's API, or of a simulator for trials",
    expected: "an address such as http://127.0.0.1:4010",
    schema: HttpUrl,
    fallback: unset("the provider's own")
  }),
  chatAppId: setting<string | null>({
    variable: "PARLEY_CHAT_APP_ID",
    flag: "chat-app-id",
    about: "App id of this service, for organizations that connect numbers without their own app",
    expected: "an id such as 300000000000001",
    schema: Schema.String.check(Schema.isPattern(/^[0-9]{1,40}$/)),
    fallback: unset("none")
  }),
  chatSignupConfigId: setting<string | null>({
    variable: "PARLEY_CHAT_SIGNUP_CONFIG_ID",
    flag: "chat-signup-config-id",
    about: "Signup configuration of that app",
    expected: "an id such as 300000000000002",
    schema: Schema.String.check(Schema.isPattern(/^[0-9]{1,40}$/)),
    fallback: unset("none")
  }),
  chatAppSecrets: setting<ReadonlyArray<Redacted.Redacted> | null>({
    variable: "PARLEY_CHAT_APP_SECRETS",
    flag: null,
    about: "Secret of that app; during a replacement the new and the former one, separated by a comma",
    expected: "one secret, or two with a comma between",
    schema: Secrets,
    fallback: unset("none"),
    secret: true
  }),
  chatVerifyToken: setting<Redacted.Redacted | null>({
    variable: "PARLEY_CHAT_VERIFY_TOKEN",
    flag: null,
    about: "Token that the provider sends when it verifies the webhook of that app",
    expected: "printable characters without spaces",
    schema: Secret,
    fallback: unset("none"),
    secret: true
  }),
  storeApiUrl: setting<string | null>({
    variable: "PARLEY_STORE_API_URL",
    flag: "store-api-url",
    about: "URL of shops, or of a simulator for trials",
    expected: "an address such as http://127.0.0.1:4020",
    schema: HttpUrl,
    fallback: unset("each shop's own")
  }),
  storeApiVersion: setting<(typeof storeApiVersions)[number]>({
    variable: "PARLEY_STORE_API_VERSION",
    flag: "store-api-version",
    about: "Version of the API of shops",
    expected: `one of ${storeApiVersions.join(", ")}`,
    schema: Schema.Literals(storeApiVersions),
    fallback: initially("2026-10")
  }),
  storeClientId: setting<string | null>({
    variable: "PARLEY_STORE_CLIENT_ID",
    flag: "store-client-id",
    about: "Client id of the Shopify app that organizations connect their stores with",
    expected: "1 to 100 letters, digits and . _ -",
    schema: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._-]{1,100}$/)),
    fallback: unset("none")
  }),
  storeClientSecrets: setting<ReadonlyArray<Redacted.Redacted> | null>({
    variable: "PARLEY_STORE_CLIENT_SECRETS",
    flag: null,
    about: "Secret of that app; during a replacement the new and the former one, separated by a comma",
    expected: "one secret, or two with a comma between",
    schema: Secrets,
    fallback: unset("none"),
    secret: true
  }),
  storeScopes: setting<ReadonlyArray<string>>({
    variable: "PARLEY_STORE_SCOPES",
    flag: "store-scopes",
    about: "Scopes that shops are asked for in addition to the required ones, separated by commas",
    expected: "scopes such as read_all_orders,read_customer_merge",
    schema: Scopes,
    fallback: { value: [], shown: "none" }
  }),
  webhookAllowLoopback: setting<"on" | "off">({
    variable: "PARLEY_WEBHOOK_ALLOW_LOOPBACK",
    flag: "webhook-allow-loopback",
    about: "Whether events can be posted to this machine, also over plain HTTP, to develop a receiver",
    expected: "on or off",
    schema: Schema.Literals(["on", "off"]),
    fallback: initially("off")
  }),
  smtpUrl: setting<Redacted.Redacted | null>({
    variable: "PARLEY_SMTP_URL",
    flag: null,
    about: "Mail server for invitations and forgotten passwords. Default: no mail; commands print the links",
    expected: "an address such as smtps://user:password@mail.example:465 or smtp://user:password@mail.example:587",
    schema: SmtpUrl,
    fallback: unset("none"),
    secret: true
  }),
  mailFrom: setting<string | null>({
    variable: "PARLEY_MAIL_FROM",
    flag: "mail-from",
    about: "Sender of mails",
    expected: "an address such as no-reply@parley.example, or Parley <no-reply@parley.example>",
    schema: MailFrom,
    fallback: unset("none")
  }),
  tokenIssuer: setting<string>({
    variable: "PARLEY_TOKEN_ISSUER",
    flag: "token-issuer",
    about: "Issuer name in tokens; tokens of another issuer are refused",
    expected: "one line of at most 200 characters",
    schema: Schema.String.check(Schema.isPattern(/^[^\p{Cc}]{1,200}$/u)),
    fallback: initially("parley")
  }),
  logLevel: setting<(typeof logLevels)[number] | null>({
    variable: "PARLEY_LOG_LEVEL",
    flag: "log-level",
    about: "Log level of the standard error stream",
    expected: `one of ${logLevels.join(", ")}`,
    schema: Schema.Literals(logLevels),
    fallback: unset("info for a server, warn for a command")
  }),
  logFormat: setting<"pretty" | "json" | null>({
    variable: "PARLEY_LOG_FORMAT",
    flag: "log-format",
    about: "Log format",
    expected: "pretty or json",
    schema: Schema.Literals(["pretty", "json"]),
    fallback: unset("pretty on a terminal, otherwise json")
  }),
  operatorName: setting<string | null>({
    variable: "PARLEY_OPERATOR_NAME",
    flag: "operator-name",
    about: "Your name in the audit trail",
    expected: "one line of at most 100 characters",
    schema: Schema.String.check(Schema.isPattern(/^[^\p{Cc}]{1,100}$/u)),
    fallback: unset("your user name on this machine")
  })
} as const

export type SettingName = keyof typeof catalogue
