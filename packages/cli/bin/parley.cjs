#!/usr/bin/env node
// This file has the syntax of ES5 and loads nothing before the check, because old versions of Node must reach the message.
var version = process.versions.node.split(".")
var major = Number(version[0])
var minor = Number(version[1])

if (major < 24 || (major === 24 && minor < 7)) {
  process.stderr.write("Parley needs Node 24.7 or later; " + process.execPath + " is " + process.versions.node + ".\n")
  process.exitCode = 3
} else {
  module.exports = require("./main.mjs")
}
