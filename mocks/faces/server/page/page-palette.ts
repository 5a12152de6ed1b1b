/** Pairs of text and ground are at least 4.5 : 1, in light and in dark; a test works them out. */
export const palette = {
  light: {
    ground: "#f6f6f3",
    panel: "#ffffff",
    sunken: "#f0f0ec",
    line: "#dedfd9",
    edge: "#85888f",
    text: "#1b1c20",
    quiet: "#5a5d66",
    accent: "#4a3fcf",
    "on-accent": "#ffffff",
    queued: "#4d5566",
    processing: "#8a5300",
    completed: "#17693a",
    failed: "#b3261e",
    "queued-soft": "#e9ebf0",
    "processing-soft": "#fdf0d9",
    "completed-soft": "#e2f3e7",
    "failed-soft": "#fbe7e5",
  },
  dark: {
    ground: "#121316",
    panel: "#1b1d21",
    sunken: "#15171a",
    line: "#2d3036",
    edge: "#747983",
    text: "#ececef",
    quiet: "#a4a8b2",
    accent: "#b4b0ff",
    "on-accent": "#17153a",
    queued: "#b7bfd0",
    processing: "#f2bd6b",
    completed: "#7fd6a0",
    failed: "#ff9f97",
    "queued-soft": "#272b33",
    "processing-soft": "#37290f",
    "completed-soft": "#15301f",
    "failed-soft": "#3d1a18",
  },
} as const;

/** As the custom properties of a style sheet. */
export const variables = (colors: Readonly<Record<string, string>>): string =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color}`)
    .join(";");
