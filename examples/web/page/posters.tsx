/** Three posters, as a drawing. */
export const Posters = () => (
  <svg className="posters" viewBox="0 0 240 132" aria-hidden="true">
    <g transform="rotate(-8 60 74)">
      <rect x="18" y="30" width="78" height="92" rx="10" fill="#e76f51" />
      <circle cx="57" cy="64" r="20" fill="#fbd9c5" />
      <path d="M30 100h54M30 109h32" stroke="#fff" strokeWidth="5" strokeLinecap="round" />
    </g>
    <g transform="rotate(8 180 74)">
      <rect x="144" y="30" width="78" height="92" rx="10" fill="#4360c9" />
      <path
        d="M144 92l26-30 22 24 12-12 18 20v18a10 10 0 0 1-10 10h-58a10 10 0 0 1-10-10z"
        fill="#c3cdf5"
      />
      <circle cx="200" cy="52" r="9" fill="#fff" />
    </g>
    <rect x="75" y="8" width="90" height="116" rx="12" fill="#0f7a66" />
    <circle cx="112" cy="52" r="21" fill="#f6c445" />
    <circle cx="132" cy="52" r="21" fill="#fff" fillOpacity=".85" />
    <path d="M90 94h60M90 106h36" stroke="#fff" strokeWidth="6" strokeLinecap="round" />
  </svg>
);
