// Draws the pictures of the README from a running demo: `npm start`, and then `node scripts/pictures.mjs`.
// It needs tmux for the terminal and Chromium for the documentation site.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const dataDir = process.env.PARLEY_DATA_DIR ?? `${root}.parley`
const folder = `${root}docs/pictures`
const { address } = JSON.parse(readFileSync(`${dataDir}/demo.json`, "utf8"))
const { chromium } = createRequire(`${root}packages/http-adapter/package.json`)("playwright-core")

const session = "parley-pictures"
const [columns, rows] = [104, 18]
const tmux = (...args) => execFileSync("tmux", args, { encoding: "utf8" })

const screen = () => tmux("capture-pane", "-p", "-t", session)

/** Waits until the terminal shows the text. */
const until = async (text) => {
  for (let attempt = 0; attempt < 120; attempt++) {
    if (screen().includes(text)) return
    await pause(500)
  }
  throw new Error(`The terminal does not show "${text}":\n${screen()}`)
}

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(" ", "\u00a0")

/** Draws the text of a terminal. */
const terminal = (text) => {
  const [cell, line, margin] = [8.4, 19, 18]
  const lines = text.split("\n").slice(0, rows)
  const [width, height] = [columns * cell + 2 * margin, rows * line + 2 * margin + 22]
  const drawn = lines.map((each, row) => `<text y="${margin + 36 + row * line}">${escaped(each)}</text>`).join("\n")
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The inbox in a terminal">
<rect width="100%" height="100%" rx="10" fill="#0e1013"/>
<g fill="#3a4048"><circle cx="20" cy="18" r="6"/><circle cx="40" cy="18" r="6"/><circle cx="60" cy="18" r="6"/></g>
<g fill="#d7dce2" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" transform="translate(${margin} 0)">
${drawn}
</g>
</svg>
`
}

const drawInbox = async () => {
  const command = `PARLEY_DATA_DIR=${dataDir} "${process.execPath}" packages/cli/src/main.ts inbox`
  tmux(
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    "-s",
    session,
    "-x",
    String(columns),
    "-y",
    String(rows),
    "-c",
    root,
    command
  )
  try {
    await until("Is my order on its way?")
    tmux("send-keys", "-t", session, "-l", "Hi Carla, it left us this morning.")
    tmux("send-keys", "-t", session, "Enter")
    await until("Wonderful, thank you!")
    await until("Reply: _")
    writeFileSync(`${folder}/inbox.svg`, terminal(screen()))
  } finally {
    tmux("kill-session", "-t", session)
  }
}

const drawReference = async () => {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium"
  const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
    await page.goto(`${address}/docs/reference/contacts#operation/createContact`)
    await page.waitForFunction(() => document.querySelector("[data-waiting]") === null)
    await page.waitForTimeout(1_000)
    await page.screenshot({ path: `${folder}/reference.png` })
  } finally {
    await browser.close()
  }
}

if (!existsSync(folder)) mkdirSync(folder)
await drawInbox()
await drawReference()
