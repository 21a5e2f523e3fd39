// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0).
var A,Jt,Wo,te,gt,qe,Kt,Le,Xt,bt,$t,Ho,Ae=Symbol.for("pv"),We={},He=[],Go=/^m(i|n|o|s|text|space)$/,xt=Array.isArray,_t=He.slice,de=Object.assign;function pe(e){e&&e.parentNode&&e.remove()}function Vt(e,t,n){var o,s,r,a={},i=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?s=t[r]:a[r]=t[r];return i>2&&(a.children=i>3?_t.call(arguments,2):n),Se(e,a,o,s,null)}function Se(e,t,n,o,s){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ae,__v:s||++Jt,__i:-1,__u:0};return!s&&A.vnode&&A.vnode(r),r}function Ge(e){return e.children}function je(e,t){this.props=e,this.context=t,this.__g=0}function ne(e,t){if(t==null)return e.__&&ne(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:ne(e)}function Jo(e){var t,n=e.__v,o=n.__e,s=[],r=[],a=e.__P;a&&((t=de({constructor:Ae},n)).__v=n.__v+1,A.vnode&&A.vnode(t),yt(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,s,o||ne(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,nn(s,t,r),n.__=n.__e=null,t.__e!=o&&Yt(t))}function Yt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Yt(e)}function Ht(e){(8&e.__g||(e.__g|=8,te.push(e),qe++))&&gt==A.debounceRendering||((gt=A.debounceRendering)||queueMicrotask)(Qt)}function Qt(){try{for(var e,t=1;te.length;)te.length>t&&te.sort(Kt),e=te.shift(),t=te.length,8&e.__g&&Jo(e)}finally{(qe=te.length)&&(gt||queueMicrotask)(Qt)}}function Zt(e,t,n,o,s,r,a,i,l,u,p){var h,m,d,g,$,f,x=o.__k||He,_=t.length;for(l=Ko(n,t,x,l,_),h=0;h<_;h++)(d=n.__k[h])!=null&&(m=~d.__i&&x[d.__i]||We,d.__i=h,f=yt(e,d,m,s,r,a,i,l,u,p),g=d.__e,(m.ref!=d.ref||8&m.__u)&&(m.ref&&vt(m.ref,null,d,m),d.ref&&p.push(d.ref,d.__c||g,d)),$=$||g,4&d.__u?(l=en(d,l,e,!m.__v),m.__e&&(m.__e=null)):typeof d.type=="function"&&f!==void 0?l=f:g&&(l=g.nextSibling),d.__u&=-21);return n.__e=$,l}function Ko(e,t,n,o,s){var r,a,i,l,u,p,h,m,d,g=n.length,$=g,f=0,x=0,_=e.__k=Array(s);for(r=0;r<s;r++)(a=t[r])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=_[r]=Se(null,a):xt(a)?a=_[r]=Se(Ge,{children:a}):a.constructor===Ae&&a.__b?a=_[r]=Se(a.type,a.props,a.key,a.ref,a.__v):_[r]=a,l=r+f,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=Xo(a,n,l,$))&&($--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==l-1?f--:u==l+1?f++:u!=l&&(u>l?f--:f++,x=1)):(~u||(s>g?f--:s<g&&f++),typeof a.type!="function"&&(a.__u|=4))):_[r]=null;if(x){for(p=[],h=[],r=0;r<s;r++)if((a=_[r])&&16&a.__u){for(f=0,m=p.length;f<m;)p[d=f+m>>1]<a.__i?f=d+1:m=d;p[f]=a.__i,h[r]=f+1}for(f=p.length;r--;)h[r]&&(h[r]==f?f--:_[r].__u|=4)}if($)for(r=0;r<g;r++)!(i=n[r])||2&i.__u||(i.__e==o&&(o=ne(i)),wt(i,i));return o}function en(e,t,n,o){var s,r,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&(s[r].__=e,t=en(s[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=ne(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Xo(e,t,n,o){var s,r=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&r==null||l&&r==i.key&&a==i.type)return n;if(o>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&r==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&r==i.key&&a==i.type)return s}return-1}function Gt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ue(e,t,n,o,s){var r,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Gt(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Gt(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=$t[t]||($t[t]=Vo(t)),(e.__a||(e.__a={}))[t]=bt,r=t!=(t=t.replace(Xt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,r):e.removeEventListener(t,a,r));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Vo(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Le]==null)t[Le]=bt++;else if(t[Le]<this.__a[e])return;return n(A.event?A.event(t):t)}}}function yt(e,t,n,o,s,r,a,i,l,u){var p,h,m,d,g,$,f,x,_,v,b,y,S,M,J,ge,ee,ce,V=t.type;if(t.constructor!==Ae)return null;128&n.__u&&(l=32&n.__u,p=n.__c.__z)&&(t.__u|=l,h=r=[],p.nodeType==8?i=Be(p,r):r.push(p),i=r[0]||i),(p=A.__b)&&p(t);e:if(typeof V=="function"){m=a.length;try{if(x=t.props,_=(p=V.prototype)&&p.render,v=(p=V.contextType)&&o[p.__c],b=p?v?v.props.value:p.__:o,(d=n.__c)?(t.__c=d,2&d.__g&&(d.__g|=1)):(_?t.__c=d=new V(x,b):(t.__c=d=new je(x,b),d.constructor=V,d.render=Qo),v&&v.sub(d),d.state||(d.state={}),d.__n=o,d.__g|=8,d.__h=[],d.__k=[]),_&&(d.__s||(d.__s=d.state),V.getDerivedStateFromProps&&(d.__s==d.state&&(d.__s=de({},d.__s)),de(d.__s,V.getDerivedStateFromProps(x,d.__s)))),g=d.props,$=d.state,d.__v=t,n.__c){if(x!==g&&_&&!V.getDerivedStateFromProps&&d.componentWillReceiveProps&&d.componentWillReceiveProps(x,b),t.__v==n.__v&&!(8&d.__g)||!(4&d.__g)&&d.shouldComponentUpdate&&d.shouldComponentUpdate(x,d.__s,b)===!1){t.__v!=n.__v&&(d.props=x,d.state=d.__s,d.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(H){H&&(H.__=t)}),He.push.apply(d.__h,d.__k),d.__k=[],d.__h.length&&a.push(d),i=ne(n);break e}d.componentWillUpdate&&d.componentWillUpdate(x,d.__s,b),_&&d.componentDidUpdate&&d.__h.push(function(){d.componentDidUpdate(g,$,f)})}else _&&!V.getDerivedStateFromProps&&d.componentWillMount&&d.componentWillMount(),_&&d.componentDidMount&&d.__h.push(d.componentDidMount);d.context=b,d.props=x,d.__P=e,d.__g&=-5,y=A.__r,S=_?25:0;do d.__g&=-9,y&&y(t),p=d.render(d.props,d.state=d.__s,d.context);while(8&d.__g&&++S<25);_&&(He.push.apply(d.__h,d.__k),d.__k=[]),d.state=d.__s,d.getChildContext&&(o=de({},o,d.getChildContext())),_&&n.__c&&d.getSnapshotBeforeUpdate&&(f=d.getSnapshotBeforeUpdate(g,$)),M=p&&p.type===Ge&&p.key==null?p.props.children:p,x.__P&&(p=i,s=(e=x.__P).namespaceURI,l=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(H){H&&wt(H,H)}),n.__k=null),i=n.__k?ne(n,0):null),i=Zt(e,xt(M)?M:[M],t,n,o,s,r,a,i,l,u),x.__P&&(t.__e=null,i=p),t.__u&=-161,h&&h.some(pe),d.__h.length&&a.push(d),1&d.__g&&(d.__g&=-4)}catch(H){if(a.length=m,t.__v=null,l||r)if(H&&H.then){if(t.__u|=128|l,r){for(~(ee=r.indexOf(i||void 0))||(ee=r.length);(ce=r[ee-1])&&ce.nodeType==8;)ee--;for(;ee<r.length;ee++)if(ce=r[ee])if(r[ee]=null,J){if(ce==ge)break}else{if(ce.nodeType!=8)break;ce.data.startsWith("$s")&&(ge=Be(J=ce))}}if(!J){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;J=i}(p=Be(J=t.__c.__z||(t.__c.__z=J)))?(t.__e=J,i=p):t.__e=i,i=i&&i.nextSibling}else r&&r.some(pe);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),H&&H.then||tn(t),A.__e(H,t,n)}}else i=t.__e=Yo(n.__e,t,n,o,s,r,a,l,u,e);return(p=A.diffed)&&p(t),i}function Be(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function tn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(tn))}function nn(e,t,n){for(var o=0;o<n.length;)vt(n[o++],n[o++],n[o++]);A.__c&&A.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(r){r.call(s)})}catch(r){A.__e(r,s.__v)}})}function Yo(e,t,n,o,s,r,a,i,l,u){var p,h,m,d,g,$,f,x,_=n.props||We,v=t.props,b=t.type;if(b=="svg"?s="http://www.w3.org/2000/svg":b=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),r){for(p=0;p<r.length;p++)if((g=r[p])&&(b?g.localName==b:g.nodeType==3)){e=g,r[p]=null;break}}if(!e){if(x=u.ownerDocument||document,!b)return x.createTextNode(v);e=x.createElementNS(s,b,v.is?v:u),i&&(A.__m&&A.__m(t,r),i=!1),r=null}if(b){if(u=b=="template"&&e.content||e,r=b=="textarea"&&v.defaultValue!=null?null:r&&_t.call(u.childNodes),!i&&r)for(_={},p=0;p<e.attributes.length;p++)_[(g=e.attributes[p]).name]=g.value;for(p in _)g=_[p],p=="dangerouslySetInnerHTML"?m=g:p=="children"||p in v||p=="value"&&"defaultValue"in v||p=="checked"&&"defaultChecked"in v||Ue(e,p,null,g,s);for(p in v)g=v[p],p=="children"?d=g:p=="dangerouslySetInnerHTML"?h=g:p=="value"?$=g:p=="checked"?f=g:i&&typeof g!="function"||_[p]===g||Ue(e,p,g,_[p],s);h?(i||m&&(h.__html==m.__html||h.__html==e.innerHTML)||(e.innerHTML=h.__html),t.__k=[]):(m&&(e.textContent=""),(b=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Go.test(b))&&(s="http://www.w3.org/1999/xhtml"),Zt(u,xt(d)?d:[d],t,n,o,s,r,a,r?r[0]:n.__k&&ne(n,0),i,l),r&&r.some(pe)),i&&b!="textarea"||(p="value",b=="progress"&&$==null?e.removeAttribute(p):$==null||$===e[p]&&(b!="progress"||$)||Ue(e,p,$,_[p],s),p="checked",f!=null&&f!=e[p]&&Ue(e,p,f,_[p],s))}else _===v||i&&e.data==v||(e.data=v);return e}function vt(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){A.__e(s,n)}}function wt(e,t,n){var o,s,r,a;if(A.unmount&&A.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||vt(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(i){A.__e(i,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&wt(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=Be(o,r=[]))&&(o==e.__e&&r.some(pe),pe(s),pe(o)),n||pe(e.__e),e.__e=e.__c=e.__=null}function Qo(e,t,n){return this.constructor(e,n)}function on(e,t){var n,o,s,r;A.__&&A.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Se(Ge,{children:[e]}),s=[],r=[],yt(t,t.__k,o||We,We,t.namespaceURI,o?null:t.firstChild?_t.call(t.childNodes):null,s,o?o.__e:t.firstChild,n,r),nn(s,t.__k,r),t.__k.props.children=null}A={__e:function(e,t,n,o){for(var s,r,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(r=s.constructor)&&r.getDerivedStateFromError)&&s.setState(r.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw qe=0,e}},Jt=0,Wo=function(e){return e!=null&&e.constructor===Ae},je.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=de({},this.state)),typeof e=="function"&&(e=e(de({},n),this.props)),e&&(de(n,e),this.__v&&(t&&this.__k.push(t),Ht(this)))},je.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Ht(this))},je.prototype.render=Ge,te=[],qe=0,Kt=function(e,t){return e.__v.__b-t.__v.__b},Le=Symbol(),Xt=/(PointerCapture)$|Capture$/i,bt=0,$t={},Ho=0;var sn=function(e,t,n,o){var s;t[0]=0;for(var r=1;r<t.length;r++){var a=t[r++],i=t[r]?(t[0]|=a?1:2,n[t[r++]]):t[++r];a===3?o[0]=i:a===4?o[1]=Object.assign(o[1]||{},i):a===5?(o[1]=o[1]||{})[t[++r]]=i:a===6?o[1][t[++r]]+=i+"":a?(s=e.apply(i,sn(e,i,n,["",null])),o.push(s),i[0]?t[0]|=2:(t[r-2]=0,t[r]=s)):o.push(i)}return o},rn=new Map;function an(e){var t=rn.get(this);return t||(t=new Map,rn.set(this,t)),(t=sn(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,r=1,a="",i="",l=[0],u=function(m){r===1&&(m||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,m,a):r===3&&(m||a)?(l.push(3,m,a),r=2):r===2&&a==="..."&&m?l.push(4,m,0):r===2&&a&&!m?l.push(5,0,!0,a):r>=5&&((a||!m&&r===5)&&(l.push(r,0,a,s),r=6),m&&(l.push(r,m,0,s),r=6)),a=""},p=0;p<n.length;p++){p&&(r===1&&u(),u(p));for(var h=0;h<n[p].length;h++)o=n[p][h],r===1?o==="<"?(u(),l=[l],r=3):a+=o:r===4?a==="--"&&o===">"?(r=1,a=""):a=o+a[0]:i?o===i?i="":a+=o:o==='"'||o==="'"?i=o:o===">"?(u(),r=1):r&&(o==="="?(r=5,s=a,a=""):o==="/"&&(r<5||n[p][h+1]===">")?(u(),r===3&&(l=l[0]),r=l,(l=l[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(u(),r=2):a+=o),r===3&&a==="!--"&&(r=4,l=l[0])}return u(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=an.bind(Vt),ue=e=>e.split("`").map((t,n)=>n%2?c`<code>${t}</code>`:t);var oe={measure:null};function Zo(e,t,n){let o=new URLSearchParams(e.replace(/^[#?]/,"")),s=Object.entries(t).map(([r,a])=>[r,er(o.get(r),a,n[r])]);return Object.fromEntries(s)}function er(e,t,n){if(e===null)return t;if(typeof t=="boolean")return e==="1";if(typeof t=="number"){let[o,s]=n??[-1/0,1/0];return e.trim()&&Number.isFinite(Number(e))?Math.min(s,Math.max(o,Number(e))):t}return n&&!n.includes(e)?t:e}function tr(e,t){let n=new URLSearchParams;for(let[o,s]of Object.entries(t)){let r=e[o];r!==s&&n.set(o,typeof r=="boolean"?r?"1":"0":String(r))}return n.toString()}var $e=class{constructor(t,n,o){this.defaults=t,this.part=o;let s=()=>Zo(o==="fragment"?location.hash:location.search,t,n);this.state=s(),this.listeners=[],this.pending=0,addEventListener(o==="fragment"?"hashchange":"popstate",()=>this.change(s()))}set=t=>{this.change({...this.state,...t}),clearTimeout(this.pending),this.pending=setTimeout(()=>this.write(),200)};go=t=>{this.write(),this.change({...this.state,...t}),this.write("pushState")};change(t){this.state=t,this.listeners.forEach(n=>n())}write(t="replaceState"){clearTimeout(this.pending);let n=tr(this.state,this.defaults),o=this.part==="query"?n&&`?${n}`:location.search,s=this.part==="fragment"?n&&`#${n}`:location.hash;try{history[t](null,"",location.pathname+o+s)}catch{}}};var nr={image:0,screen:"explain",method:0,class:-1,direction:"deletion",reference:"",count:0,view:"magnitude",side:!0,opacity:.85,zoom:1,x:0,y:0,show:"both",sort:"ins_del",descending:!0,a:-1,b:-1,temperatures:"1, 5, 100",mode:"multiply",scaled:!1,margin:0,mix:.5,gamma:0,step:0},or={screen:["explain","compare","contrast","density","film"],direction:["deletion","insertion"],view:["magnitude","signed","contour","off"],show:["image","map","both"],mode:["multiply","divide"],zoom:[1,16],opacity:[0,1],mix:[0,1],gamma:[0,1],margin:[0,.5]},ln=()=>new $e(nr,or,"fragment");var cn=`:root{color-scheme:light dark;--page: #f7f7f5;--card: #ffffff;--ink: #1b1d21;--muted: #646b75;--line: #dfe1e5;--soft: #eef0f2;--accent: #1f5fbf;--on-accent: #ffffff;--bad: #b3261e;--focus: #1f5fbf;--frame: #e4e6e9;--raised: #ffffff;--class-a: #b95a00;--class-b: #0068a5;--class-shared: #0f7a50;--series-0: #c25e00;--series-1: #0072b2;--series-2: #117733;--series-3: #aa3377;--series-4: #1b8098;--series-5: #5b4bb5;--series-6: #857000;--series-7: #6b7280}@media(prefers-color-scheme:dark){:root{--page: #14161a;--card: #1c1f24;--ink: #e9ebee;--muted: #a0a7b2;--line: #32363d;--soft: #262a30;--accent: #7fb2ff;--on-accent: #0d1420;--bad: #ff9a92;--focus: #9cc3ff;--frame: #0d0f12;--raised: #3d434c;--class-a: #ffa14a;--class-b: #5fb8f7;--class-shared: #5fce9a;--series-0: #ffa14a;--series-1: #5fb8f7;--series-2: #63cf8a;--series-3: #f08cc5;--series-4: #74d0e8;--series-5: #b0a4ff;--series-6: #dccb55;--series-7: #9aa2ad}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 -apple-system,Segoe UI,Roboto,Helvetica Neue,Liberation Sans,Arial,system-ui,sans-serif;-webkit-text-size-adjust:100%}#explorer{max-width:1320px;margin:0 auto;padding:0 24px 48px}h1,h2,p,dl,dd,figure,ul{margin:0;padding:0}h1{font-size:26px;line-height:1.25;font-weight:500;letter-spacing:-.01em;text-wrap:balance}h1 strong{font-weight:700}h2{font-size:15px;font-weight:650;margin-bottom:12px}.muted{color:var(--muted);font-weight:400}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}.intro code{background:var(--soft);border-radius:4px;padding:1px 5px}button,select,input{font:inherit;color:inherit}button{cursor:pointer}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}.top{display:flex;align-items:center;gap:24px;min-height:56px;border-bottom:1px solid var(--line)}.brand{font-weight:700;letter-spacing:-.02em;font-size:17px}.tabs{display:flex;align-self:stretch;gap:4px;overflow-x:auto;scrollbar-width:none}.tabs button{border:0;background:none;padding:0 12px;color:var(--muted);border-bottom:2px solid transparent;border-top:2px solid transparent;white-space:nowrap}.tabs button:hover{color:var(--ink)}.tabs button[aria-selected=true]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}.tabs button:focus-visible{outline-offset:-4px}.file{margin-left:auto;color:var(--muted);font-size:13px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip{display:flex;gap:8px;overflow-x:auto;padding:12px 2px 4px}.strip button{border:1px solid transparent;border-radius:8px;background:none;padding:4px;width:104px;flex:none;text-align:left;font-size:12px;color:var(--muted)}.strip button[aria-pressed=true]{border-color:var(--accent);color:var(--ink);background:var(--card)}.strip canvas,.strip .blank{display:block;width:100%;aspect-ratio:1;border-radius:5px;background:var(--soft);object-fit:cover}.strip .name{display:flex;gap:4px}.strip .name b{font-weight:inherit;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip .name i{font-style:normal;margin-left:auto;white-space:nowrap}.intro{padding:22px 0 14px;max-width:860px}.intro p{margin-top:8px;color:var(--muted);text-wrap:pretty}.intro p b,.intro p code{color:var(--ink)}.choices{display:flex;flex-wrap:wrap;gap:12px 28px;padding-bottom:16px;align-items:flex-start}.field{display:flex;flex-direction:column;gap:5px;min-width:0}.label{font-size:12px;color:var(--muted);display:flex;justify-content:space-between;gap:8px}.label output{color:var(--ink);font-variant-numeric:tabular-nums}.chips{display:flex;flex-wrap:wrap;gap:6px}.chip{display:inline-flex;align-items:center;gap:7px;border:1px solid var(--line);background:var(--card);border-radius:999px;padding:4px 12px;min-height:34px}.chip i{width:9px;height:9px;border-radius:50%}.chip span{color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}.chip:hover{border-color:var(--muted)}.chip[aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.segmented{display:inline-flex;background:var(--soft);border-radius:8px;padding:3px;width:fit-content;max-width:100%;overflow-x:auto}.segmented button{border:0;background:none;padding:3px 11px;min-height:30px;border-radius:6px;color:var(--muted);white-space:nowrap;font-size:14px}.segmented button:hover{color:var(--ink)}.segmented button[aria-pressed=true]{background:var(--raised);color:var(--ink);box-shadow:0 1px 2px #0003}.segmented button:focus-visible{outline-offset:-2px}.row{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:flex-end}.button{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 14px;min-height:36px}.button:hover{border-color:var(--muted)}.button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}.button.primary:hover{filter:brightness(1.07)}select,input[type=text]{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 10px;min-height:36px;min-width:120px}input[aria-invalid=true]{border-color:var(--bad)}.error{color:var(--bad);font-size:13px}.check{display:flex;align-items:center;gap:8px;min-height:36px}.check input{width:17px;height:17px;accent-color:var(--accent);flex:none}input[type=range]{appearance:none;-webkit-appearance:none;width:100%;height:28px;background:none;margin:0;cursor:pointer;touch-action:pan-y}input[type=range]::-webkit-slider-runnable-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-moz-range-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-webkit-slider-thumb{-webkit-appearance:none;width:20px;height:20px;margin-top:-7.5px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}input[type=range]::-moz-range-thumb{width:15px;height:15px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}.slider{min-width:150px;flex:1;gap:2px}.card>.slider{margin:14px 0 6px}.ends{display:flex;justify-content:space-between;font-size:13px;color:var(--muted)}.card,.panel,.intro,.choices,.bars li,.verdict,.legend{contain:layout}.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;min-width:0}.explain{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:20px;align-items:start}.explain.single,.contrast{grid-template-columns:minmax(0,clamp(320px,58vh,620px)) minmax(0,1fr);gap:28px}.stage{min-width:0}.test{grid-row:span 2}.panels{display:grid;gap:14px}.panels.two{grid-template-columns:1fr 1fr}.panels.one{max-width:560px}.controls{padding-top:14px;align-items:center}.controls .field{flex:none}.controls .slider{max-width:190px}.panel{min-width:0}.panel figcaption{display:flex;justify-content:space-between;align-items:baseline;gap:8px;font-size:13px;padding-bottom:6px;min-height:26px}.panel .title{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.panel .note{color:var(--muted);font-variant-numeric:tabular-nums;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.frame{position:relative;overflow:hidden;contain:layout paint;border-radius:8px;background:var(--frame);touch-action:pan-y;width:100%}.frame.zoomed{touch-action:none;cursor:grab}.frame.zoomed:active{cursor:grabbing}.frame:focus-visible{outline-offset:2px;border-radius:8px}.layers{position:absolute;inset:0;transform-origin:0 0}.layers canvas{position:absolute;inset:0;width:100%;height:100%}.layers.sharp canvas{image-rendering:pixelated}.key{display:inline-flex;gap:6px;align-items:center;color:var(--muted);font-size:12px}.ramp{width:44px;height:8px;border-radius:4px;background:linear-gradient(90deg,#1b0c41,#781c6d,#bc3754,#ed6925,#fbb61a,#fcffa4)}.ramp.signed{background:linear-gradient(90deg,#2c70c8,var(--soft),#e43c2a)}.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}.swatch.class-a{background:#e47400}.swatch.class-b{background:#0072b2}.swatch.class-shared{background:#118c5a}strong.class-a,b.class-a{color:var(--class-a)}strong.class-b,b.class-b{color:var(--class-b)}.chart{position:relative;width:100%;overflow:hidden;margin-top:10px}.chart svg{display:block}.chart .scrubbable{cursor:ew-resize;touch-action:pan-y;user-select:none}.chart .grid{stroke:var(--line);stroke-width:1}.chart .tick{fill:var(--muted);font-size:11px}.series polyline{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.32;stroke-linejoin:round}.series circle{fill:currentColor;opacity:.75}.series.strong polyline{stroke-width:2.2;opacity:.45}.series.strong circle{opacity:1}.series.plain polyline{opacity:1}.series.dashed polyline{stroke-dasharray:5 4;opacity:.7}.chart .marker{stroke:var(--bad);stroke-dasharray:3 3}.chart .marker.good{stroke:var(--class-shared)}.chart .marker-text{fill:var(--bad);font-size:11px;paint-order:stroke;stroke:var(--card);stroke-width:4px}.chart .marker-text.good{fill:var(--class-shared)}.cursor{position:absolute;left:-.75px;width:1.5px;background:var(--ink);pointer-events:none;will-change:transform}.cursor:after{content:"";position:absolute;bottom:-8px;left:-7.25px;width:16px;height:16px;border-radius:50%;background:var(--ink);border:2.5px solid var(--card)}.slide{display:flex;align-items:center;gap:6px;margin-top:6px}.step{border:1px solid var(--line);background:var(--card);border-radius:8px;width:34px;height:34px;flex:none;font-size:18px;line-height:1}.step:disabled{opacity:.4;cursor:default}.legend{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--muted);padding-top:4px}.legend .dot{display:inline-block;width:7px;height:7px;border-radius:50%;background:var(--ink);margin-right:5px}.legend .line{display:inline-block;width:18px;height:2px;background:var(--muted);opacity:.6;margin-right:5px;vertical-align:middle}.legend .line.now{background:var(--series-0);opacity:1}.legend .count{margin-left:auto;font-variant-numeric:tabular-nums}.flip{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin-top:14px;font-size:13px}.verdict .button{margin-left:6px;min-height:30px;padding:2px 10px;font-size:13px}.verdict{margin-top:16px;min-height:46px}.verdict.changed b:first-of-type{color:var(--bad)}.bars{list-style:none;display:grid;gap:5px;margin-top:6px}.bars li{display:grid;grid-template-columns:minmax(70px,130px) 1fr 54px;gap:10px;align-items:center;font-size:13px}.bars .name{color:var(--ink);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.bars .explained .name{font-weight:650}.bars .winner .name:after{content:" \\2713"}.bars .value{color:var(--ink);text-align:right;font-variant-numeric:tabular-nums}.bars .track{position:relative;height:12px;border-radius:4px;background:var(--soft);overflow:hidden}.bars .track i{position:absolute;inset:0;background:currentColor;transform-origin:0 0}.bars .track b{position:absolute;top:0;bottom:0;width:2px;margin-left:-2px;background:var(--ink);opacity:.55}.bars.between .track i{opacity:.5}.bars.between .value:before{content:"\\2248  ";color:var(--muted)}.facts{font-size:14px}.facts dl{display:grid;gap:4px;margin:10px 0 14px}.facts dl>div{display:grid;grid-template-columns:140px 1fr;gap:12px}.facts dt{color:var(--muted)}.facts dd{overflow-wrap:anywhere}.facts .bad{color:var(--bad)}details{margin-top:10px}summary{cursor:pointer;color:var(--muted);width:fit-content}pre{background:var(--soft);border-radius:8px;padding:12px;overflow-x:auto;margin:8px 0 0;line-height:1.45}.compare{display:grid;grid-template-columns:minmax(0,4fr) minmax(0,8fr);gap:20px;align-items:start}.column{display:grid;gap:20px;align-content:start;min-width:0}.methods{display:grid;grid-template-columns:repeat(var(--columns),minmax(0,1fr));gap:16px 12px;min-width:0}.link{border:0;background:none;padding:0;font-weight:inherit}.link:hover{text-decoration:underline}.method{display:grid;gap:4px;align-content:start;min-width:0}.disagreement .panel{max-width:340px;margin-top:12px}.dock{display:none}.names{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;margin-top:10px}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:7px 8px;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left;font-weight:500;padding-left:0}thead th{font-weight:500;color:var(--muted)}thead button{border:0;background:none;padding:4px 0;font-size:13px;color:inherit}thead [aria-sort=ascending] button,thead [aria-sort=descending] button{color:var(--ink);font-weight:600}td.best{font-weight:700}.compare .muted,.settings .muted{font-size:13px;margin-top:10px}.contrast{display:grid;align-items:start}.contrast .slider{margin-top:12px}.parts{display:grid;grid-template-columns:1fr 1fr;gap:16px;min-width:0}.settings{display:grid;gap:12px;align-content:start;padding:14px 16px}.settings h2{margin:0}.settings input[type=text]{width:100%;min-width:0}.settings .check{min-height:0;font-size:13px;align-items:flex-start}@media(max-width:1150px){.panels.two figcaption{flex-direction:column;gap:0;line-height:1.35}}@media(max-width:900px){#explorer{padding:0 14px 40px}.compare,.contrast{grid-template-columns:minmax(0,1fr);gap:14px}.contrast .stage>*{max-width:none}.explain,.explain.single{display:flex;flex-direction:column;align-items:stretch;gap:14px}.explain .stage{display:contents}.explain .panels{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;max-height:60vh}.controls{order:1;padding:0}.explain .stage>.panel{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;width:min(100%,55vh);align-self:center}.column{display:contents}.methods{order:-1}.scores{order:1}.disagreement{order:2}.dock{order:3}.dock{display:block;position:sticky;bottom:0;z-index:1;margin:0 -14px;padding:8px 14px;background:var(--page);border-top:1px solid var(--line)}.dock .slide{margin:0}.facts{order:2}.top{flex-wrap:wrap;gap:0 16px;padding-top:8px}.tabs{order:3;width:100%;min-height:44px}.tabs button:first-child{padding-left:0}}@media(max-width:520px){h1{font-size:21px}.intro{padding:14px 0 10px}.card{padding:14px}.panels{gap:8px}.panel figcaption{flex-direction:column;gap:0;line-height:1.35}.panel .note,.panel .title{max-width:100%}.methods{grid-template-columns:1fr 1fr;gap:10px}.scores table,.scores thead button{font-size:12px}.scores th,.scores td{padding:6px 3px}.scores thead th{white-space:normal;vertical-align:bottom}.strip button{width:76px;font-size:11px}.tabs button{padding:0 8px}.zooms{display:none}.parts{gap:10px}.settings{grid-column:span 2}.facts dl>div{grid-template-columns:110px 1fr}.choices{gap:10px 20px}.chip,.segmented button,.step{min-height:40px}}@media(prefers-reduced-motion:no-preference){.button,.chip,.segmented button{transition:border-color .12s,background .12s,color .12s}}
`;var be,z,kt,pn,Ct=Object.is,Je=0,xn=[],Mt=[],I=A,dn=I.__b,un=I.__r,mn=I.diffed,hn=I.__c,fn=I.unmount,gn=I.__;function Ke(e,t){I.__h&&I.__h(z,e,Je||t),Je=0;var n=z.__H||(z.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function w(e){return Je=1,sr(_n,e)}function sr(e,t,n){var o=Ke(be++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):_n(void 0,t),function(r){var a=(o.__N||o.__)[0],i=o.t(a,r);Ct(a,i)||(o.__N=[i,o.__[1]],o.__c.setState({}))}],o.__c=z,!z.__f)){z.__f=!0;var s=z.shouldComponentUpdate;z.shouldComponentUpdate=function(r,a,i){var l=this.__H;if(!l)return!0;var u=!1,p=this.props!=r;if(l.__.some(function(m){m.__N&&(u=!0,Ct(m.__[0],m.__N[0])||(p=!0))}),s){var h=s.call(this,r,a,i);return u?h||p:h}return!u||p}}return o.__}function T(e,t){var n=Ke(be++,3);!I.__s&&At(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,z.__H.__h.push(n))}function xe(e,t){var n=Ke(be++,4);!I.__s&&At(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,z.__h.push(n))}function E(e){return Je=5,C(function(){return{current:e}},[])}function C(e,t){var n=Ke(be++,7);return At(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function ar(){var e;do{for(;e=Mt.shift();)try{Te(e)}catch(n){I.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=xn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Te),t.__h.some(St),t.__h=[]}catch(n){t.__h=[],I.__e(n,e.__v)}}}while(Mt.length)}I.__b=function(e){z=null,dn&&dn(e)},I.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),gn&&gn(e,t)},I.__r=function(e){un&&un(e),be=0;var t=(z=e.__c).__H;t&&(kt==z?z.__h=[]:(t.__h.some(Te),t.__h.some(St),be=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),kt=z},I.diffed=function(e){mn&&mn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&bn(xn.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),kt=z=null},I.__c=function(e,t){t.some(function(n){try{n.__h.some(Te),n.__h=n.__h.filter(function(o){return!o.__||St(o)})}catch(o){n.__h=[function(){throw o}]}}),hn&&hn(e,t)},I.unmount=function(e){fn&&fn(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,bn(Mt.push(s))}else Te(s)}catch(r){t=r}}),o.__H=void 0,t&&I.__e(t,o.__v))};var $n=typeof requestAnimationFrame=="function";function ir(e){var t,n=function(){clearTimeout(o),$n&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);$n&&(t=requestAnimationFrame(n))}function bn(e){e!=1&&pn==I.requestAnimationFrame||((pn=I.requestAnimationFrame)||ir)(ar)}function Te(e){var t=z,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),z=t}function St(e){var t=z;e.__c=e.__(),z=t}function At(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Ct(n,e[o])})}function _n(e,t){return typeof t=="function"?t(e):t}var Xe=class{constructor(){this.jobs=new Map,this.steps=new Map,this.worker={state:"starting",message:""},this.predicted=new Map,this.connected=!0,this.listeners=new Set,this.source=new EventSource("api/v1/events"),this.source.onerror=()=>this.change({connected:!1}),this.source.onopen=()=>this.change({connected:!0}),this.on("worker",t=>this.change({worker:t})),this.on("dataset",({model:t,predicted:n})=>this.change({predicted:new Map(this.predicted).set(t,n)})),this.on("job",t=>this.keep(t)),this.on("removed",({job:t})=>this.jobs.delete(t)&&this.change({})),this.on("step",t=>this.change({steps:new Map(this.steps).set(t.job,lr(this.steps.get(t.job)??[],t))}))}on(t,n){this.source.addEventListener(t,o=>n(JSON.parse(o.data)))}keep(t){this.change({jobs:new Map(this.jobs).set(t.id,t)})}change(t){Object.assign(this,t),this.listeners.forEach(n=>n())}},lr=(e,t)=>[...e.filter(n=>n.method!==t.method||n.target!==t.target||n.step<t.step),t];function yn(e){let[,t]=w(0);return T(()=>{let n=()=>t(o=>o+1);return e.listeners.add(n),()=>{e.listeners.delete(n)}},[e]),e}function R({width:e,height:t,draw:n,deps:o,label:s,name:r,opacity:a}){let i=E(null),l=E(null);return xe(()=>{let p=i.current.getContext("2d",{willReadFrequently:!0});(l.current?.width!==e||l.current.height!==t)&&(l.current=new ImageData(e,t)),n(new Uint32Array(l.current.data.buffer)),p.putImageData(l.current,0,0)},[e,t,...o]),c`<canvas
    ref=${i}
    width=${e}
    height=${t}
    data-name=${r}
    style=${{opacity:a}}
    ...${s?{role:"img","aria-label":s}:{"aria-hidden":!0}}
  />`}function O({title:e,note:t,width:n,height:o,view:s,onView:r,children:a,action:i}){let{zoom:l,x:u,y:p}=s,h=cr(s,r);return c`<figure class="panel">
    <figcaption>
      <span class="title">${e}</span>${t!==void 0&&c`<span class="note">${t}</span>`}${i}
    </figcaption>
    <div
      class=${`frame ${l>1?"zoomed":""}`}
      tabindex="0"
      role="group"
      aria-label="Image. Plus and minus zoom, arrows pan, zero resets"
      style=${{aspectRatio:`${n} / ${o}`}}
      ...${h}
    >
      <div
        class=${`layers ${l>2?"sharp":""}`}
        style=${{transform:`translate(${100*u}%, ${100*p}%) scale(${l})`}}
      >
        ${a}
      </div>
    </div>
  </figure>`}function re(e,t,n=.5,o=.5){let s=Math.min(16,Math.max(1,t)),r=s/e.zoom;return Ee({zoom:s,x:n-(n-e.x)*r,y:o-(o-e.y)*r})}function Ee({zoom:e,x:t,y:n}){let o=s=>Number(Math.min(0,Math.max(1-e,s)).toFixed(4))||0;return{zoom:Number(e.toFixed(3)),x:o(t),y:o(n)}}function cr(e,t){let n=E(new Map),o=E(e);o.current=e;let s=r=>{let a=r.currentTarget.getBoundingClientRect();return{x:(r.clientX-a.left)/a.width,y:(r.clientY-a.top)/a.height}};return{onPointerDown(r){n.current.set(r.pointerId,s(r)),o.current.zoom>1&&r.currentTarget.setPointerCapture(r.pointerId)},onPointerMove(r){r.buttons||n.current.delete(r.pointerId);let a=n.current.get(r.pointerId);if(!a)return;let i=s(r),l=[...n.current].find(([u])=>u!==r.pointerId)?.[1];if(n.current.set(r.pointerId,i),l){let u=h=>Math.hypot(h.x-l.x,h.y-l.y)||.001,p={x:(i.x+l.x)/2,y:(i.y+l.y)/2};t(re(o.current,o.current.zoom*u(i)/u(a),p.x,p.y))}else o.current.zoom>1&&t(Ee({zoom:o.current.zoom,x:o.current.x+i.x-a.x,y:o.current.y+i.y-a.y}))},onPointerUp:r=>n.current.delete(r.pointerId),onPointerCancel:r=>n.current.delete(r.pointerId),onDblClick(r){let{x:a,y:i}=s(r);t(o.current.zoom>1?{zoom:1,x:0,y:0}:re(o.current,3,a,i))},onWheel(r){if(!r.ctrlKey&&!r.metaKey)return;r.preventDefault();let{x:a,y:i}=s(r);t(re(o.current,o.current.zoom*Math.exp(-r.deltaY/200),a,i))},onKeyDown(r){let{zoom:a,x:i,y:l}=o.current,u={ArrowLeft:[.1,0],ArrowRight:[-.1,0],ArrowUp:[0,.1],ArrowDown:[0,-.1]}[r.key];if(r.key==="+"||r.key==="=")t(re(o.current,a*1.5));else if(r.key==="-")t(re(o.current,a/1.5));else if(r.key==="0")t({zoom:1,x:0,y:0});else if(u&&a>1)t(Ee({zoom:a,x:i+u[0],y:l+u[1]}));else return;r.preventDefault()}}}var pr=new Intl.NumberFormat("en-US"),B=e=>pr.format(e),P=(e,t=0)=>`${(100*e).toFixed(t)} %`,k=e=>P(e,e>.0995&&e<.995?0:1),Ne=e=>e>0&&e<.1?"less than 0.1":B(e<9.95?Math.round(10*e)/10:Math.round(e)),vn=e=>{let t=Math.max(0,...e.filter(Number.isFinite));return[.004,.02,.04,.1,.2,.4].find(n=>t<=n)??1},Ve=e=>({ins_del:"insertion − deletion"})[e]??e.replaceAll("_"," "),U=(e,t=3)=>e.toFixed(t).replace("-","−"),Y=e=>e.replace("imagenet","ImageNet").replaceAll("_"," ");function L({label:e,value:t,options:n,onChange:o}){return c`<div class="field">
    <span class="label">${e}</span>
    <div class="segmented" role="group" aria-label=${e}>
      ${n.map(([s,r])=>c`<button type="button" key=${s} aria-pressed=${s===t} onClick=${()=>o(s)}>
            ${r}
          </button>`)}
    </div>
  </div>`}function Q({label:e,value:t,min:n,max:o,step:s,text:r,name:a,onInput:i,ends:l}){let u=`${100*(t-n)/(o-n||1)}%`;return c`<label class="field slider">
    <span class="label">${e} <output>${r}</output></span>
    <input
      type="range"
      data-name=${a}
      min=${n}
      max=${o}
      step=${s}
      value=${t}
      aria-valuetext=${r}
      style=${{"--filled":u}}
      onInput=${p=>i(Number(p.currentTarget.value))}
    />
    ${l&&c`<span class="ends"><span>${l[0]}</span><span>${l[1]}</span></span>`}
  </label>`}function _e({label:e,checked:t,onChange:n}){return c`<label class="check">
    <input
      type="checkbox"
      checked=${t}
      onChange=${o=>n(o.currentTarget.checked)}
    />
    ${e}
  </label>`}function Ye({label:e,value:t,options:n,onChange:o}){return c`<label class="field">
    <span class="label">${e}</span>
    <select value=${t} onChange=${s=>o(Number(s.currentTarget.value))}>
      ${n.map(([s,r])=>c`<option key=${s} value=${s} selected=${s===t}>${r}</option>`)}
    </select>
  </label>`}function me({text:e,label:t}){let[n,o]=w(!1);return c`<button type="button" class="button" onClick=${async()=>{await dr(e)&&(o(!0),setTimeout(()=>o(!1),1500))}} aria-live="polite">
    ${n?"Copied":t}
  </button>`}async function dr(e){try{return await navigator.clipboard.writeText(e),!0}catch{let t=Object.assign(document.createElement("textarea"),{value:e});document.body.append(t),t.select();let n=document.execCommand("copy");return t.remove(),n}}var ur=[228,60,42],mr=[44,112,200],Qe=[[228,116,0],[0,114,178]],hr=[17,140,90],fr=[.05,.15,.3],wn=$r();function he(e){let t=Float64Array.from(e,r=>Number.isFinite(r)?r:0),n=t.slice().sort(),[o,s]=[Tt(n,1-.995),Tt(n,.995)];return o<0&&-o>.05*Math.max(s,0)?t.map(r=>Ze(r/Math.max(s,-o),-1,1)):(s<=o&&([o,s]=[n[0],n[n.length-1]]),t.map(r=>s>o?Ze((r-o)/(s-o),0,1):0))}function X(e,t,n){for(let o=0;o<e.length;o++){let s=Math.abs(t[o]);e[o]=wn[Math.round(255*s)]&16777215|Math.round(255*n*s**.9)<<24}}function kn(e,t,n){for(let o=0;o<e.length;o++)e[o]=Pe(t[o]>0?ur:mr,n*Math.abs(t[o])**.6)}function Cn(e,t,n,o){e.fill(0),fr.forEach((s,r)=>{let a=s*e.length,i=wn[[255,200,140][r]];for(let l=0;l<e.length;l++)t[l]<a&&gr(t,l,n,a)&&(e[l]=i&16777215|Math.round(255*Math.min(1,o+.15))<<24)})}function gr(e,t,n,o){let s=t%n;return s>0&&e[t-1]>=o||s<n-1&&e[t+1]>=o||t>=n&&e[t-n]>=o||t+n<e.length&&e[t+n]>=o}function Mn(e,t,n,o){let s=et(t);for(let r=0;r<e.length;r++){let a=t.reduce((l,u,p)=>u[r]>t[l][r]?p:l,0),i=Math.min(1,t[a][r]/s)**.75;e[r]=Pe(Qe[a%Qe.length],a<n.length?o*n[a]*i:0)}}function Sn(e,t,n,o=-1){let s=o<0?hr:Qe[o%Qe.length];for(let r=0;r<e.length;r++)e[r]=Pe(s,.9*Ze(t[r]/n,0,1)**.75)}function et(e){let t=e[0].map((n,o)=>Math.max(...e.map(s=>s[o]))).sort();return Tt(t,.995)||t[t.length-1]||1}function An(e,t,n=.3){for(let o=0;o<e.length;o++){let s=t[o],r=[s&255,s>>8&255,s>>16&255],a=(r[0]+r[1]+r[2])/3;e[o]=Pe(r.map(i=>.9*(a+n*(i-a))),1)}}function Tt(e,t){let n=t*(e.length-1),o=Math.floor(n),s=Math.min(o+1,e.length-1);return e[o]+(n-o)*(e[s]-e[o])}function Ze(e,t,n){return Math.min(n,Math.max(t,e))}function Pe([e,t,n],o){return(Math.round(255*o)<<24|Math.round(n)<<16|Math.round(t)<<8|Math.round(e))>>>0}function $r(){let e=[[.0002189403691192265,.001651004631001012,-.01948089843709184],[.1065134194856116,.5639564367884091,3.932712388889277],[11.60249308247187,-3.972853965665698,-15.9423941062914],[-41.70399613139459,17.43639888205313,44.35414519872813],[77.162935699427,-33.40235894210092,-81.80730925738993],[-71.31942824499214,32.62606426397723,73.20951985803202],[25.13112622477341,-12.24266895238567,-23.07032500287172]];return Uint32Array.from({length:256},(t,n)=>{let o=s=>e.reduceRight((r,a)=>r*(n/255)+a[s],0);return Pe([0,1,2].map(s=>Ze(255*o(s),0,255)),1)})}function Tn(e,t,n,o,s,r){let[a,i]=r==="deletion"?[n,t]:[t,n];for(let l=0;l<e.length;l++)e[l]=o[l]<s?a[l]:i[l]}function br(e){let t=new Uint32Array(e.keys()).sort((o,s)=>e[s]-e[o]||o-s),n=new Uint32Array(e.length);return t.forEach((o,s)=>n[o]=s),n}function En(e,t){let n=br(e),o=t instanceof Int16Array?new Uint16Array(e.length):new Uint32Array(e.length);for(let s=0;s<e.length;s++)o[s]=n[s]+t[s];return o}function nt({counts:e,probabilities:t},n){let o=t.length/e.length,s=Math.max(0,e.findIndex(h=>h>=n)),r=n>e[e.length-1],a=r?e.length-1:s,i=e[a]===n,l=i||r||a===0?a:a-1,u=l===a?0:(n-e[l])/(e[a]-e[l]);return{values:Array.from({length:o},(h,m)=>{let[d,g]=[t[l*o+m],t[a*o+m]];return d+u*(g-d)}),measured:i,left:l,right:a}}function Nn({counts:e,probabilities:t,top1:n,highest:o},s){let r=t.length/e.length,a=e.filter(i=>i<s.count).length;return{counts:tt(e,a,[s.count]),probabilities:Float32Array.from(tt(Array.from(t),a*r,s.probabilities)),top1:Int32Array.from(tt(Array.from(n),a,[s.top1])),highest:Float32Array.from(tt(Array.from(o),a,[s.top1_probability]))}}var tt=(e,t,n)=>[...e.slice(0,t),...n,...e.slice(t)];function Pn({counts:e,top1:t},n,o){let s=t.findIndex(r=>r===n==(o==="insertion"));return s<0?null:e[s]}function In(e,t,n){let o=e.reduce((s,r)=>Math.abs(r-t)<Math.abs(s-t)?r:s);return Math.abs(o-t)<=n?o:t}function zn(e,t){let n=new Uint32Array(e.length);for(let s=0;s<n.length;s++)n[t[s]]=s;let o=new Float64Array(e.length);for(let s=0,r=0;s<n.length;s=r){for(;r<n.length&&e[n[r]]===e[n[s]];)r++;for(let a=s;a<r;a++)o[n[a]]=(s+r-1)/2}return o}function Rn(e){let t=e[0].length,n=new Float64Array(t);for(let o=0;o<t;o++){let s=0,r=0;for(let a of e){let i=a[o]/t;s+=i,r+=i*i}n[o]=Math.sqrt(Math.max(0,r/e.length-(s/e.length)**2))}return n}function fe(e,t,n,o,s){let[r,a]=[Fn(t,o),Fn(n,s)],i=new Float64Array(o*s);for(let l=0,u=0;l<o;l++){let{low:p,high:h,share:m}=r[l];for(let d=0;d<s;d++,u++){let{low:g,high:$,share:f}=a[d],x=(1-f)*e[p*n+g]+f*e[p*n+$],_=(1-f)*e[h*n+g]+f*e[h*n+$];i[u]=(1-m)*x+m*_}}return i}function Fn(e,t){return Array.from({length:t},(n,o)=>{let s=Math.max(0,(o+.5)*e/t-.5),r=Math.min(Math.floor(s),e-1);return{low:r,high:Math.min(r+1,e-1),share:e===t?0:s-r}})}var On=new WeakMap;function Et(e,t,n){let o=On.get(e)??new Map;return On.set(e,o),o.has(t)||o.set(t,n()),o.get(t)}function se(e,t){let{height:n,width:o}=e.bundle;return Et(e,`map ${t}`,()=>fe(e.map(t),e.rows,e.cols,n,o))}function Dn(e,t){return Et(e,`strength ${t}`,()=>he(se(e,t)))}function Un(e,t,n){let{height:o,width:s}=e.bundle;return Et(e,`step ${t} ${n}`,()=>{let[,,r,a]=e.tensor("extras.path").shape,i=e.ofClass("extras.path",t);return he(fe(i.subarray(n*r*a,(n+1)*r*a),r,a,o,s))})}function ot({entry:e,target:t,reference:n,direction:o,count:s,label:r,name:a="perturbed"}){let{bundle:i}=e,l=i.references[n].image(o,t);return c`<${R}
    name=${a}
    width=${i.width}
    height=${i.height}
    label=${r}
    draw=${u=>Tn(u,i.image,l,e.ranks(t),s,o)}
    deps=${[e,t,n,o,s]}
  />`}function rt({entry:e,target:t,view:n,opacity:o,label:s}){let{width:r,height:a}=e.bundle;return c`<${R}
    name="map"
    width=${r}
    height=${a}
    draw=${l=>{n==="off"||n==="contour"&&!e.orders(t)?l.fill(0):n==="contour"?Cn(l,e.ranks(t),r,o):(n==="signed"?kn:X)(l,Dn(e,t),o)}}
    deps=${[e,t,n,o]}
    label=${s}
  />`}function G({bundle:e,color:t}){return c`<${R}
    width=${e.width}
    height=${e.height}
    deps=${[e,t]}
    draw=${n=>An(n,e.image,t)}
  />`}function Ln({view:e}){return e==="signed"?c`<span class="key"><i class="ramp signed"></i>against to for</span>`:e==="contour"?c`<span class="key">top 5, 15, 30 %</span>`:e==="off"?c`<span class="key">map hidden</span>`:c`<span class="key"><i class="ramp"></i>low to high</span>`}var F={left:44,right:22,top:22,bottom:34};function ae(e){let{series:t,position:n,max:o,height:s=200,label:r,axis:a,marker:i,range:l=[0,1],onScrub:u,ticks:p}=e,{formatX:h=b=>P(b/o),formatY:m=b=>P(b)}=e,d=E(null),g=yr(d),$=b=>F.left+(g-F.left-F.right)*b/(o||1),f=b=>s-F.bottom-(s-F.top-F.bottom)*(b-l[0])/(l[1]-l[0]||1),x=C(()=>c`<g>
        ${[0,.25,.5,.75,1].map(b=>l[0]+b*(l[1]-l[0])).map(b=>c`<line class="grid" x1=${$(0)} x2=${$(o)} y1=${f(b)} y2=${f(b)} />
                <text class="tick" x=${F.left-8} y=${f(b)+4} text-anchor="end">${m(b)}</text>`)}
        ${(p??[0,.25,.5,.75,1].map(b=>b*o)).map(b=>c`<text class="tick" x=${$(b)} y=${s-F.bottom+16} text-anchor="middle"
              >${h(b)}</text
            >`)}
        <text class="tick" x=${($(0)+$(o))/2} y=${s-3} text-anchor="middle">${a}</text>
        ${i&&c`<line class=${`marker ${i.good?"good":""}`} x1=${$(i.at)} x2=${$(i.at)} y1=${F.top} y2=${s-F.bottom} />`}
        ${t.map((b,y)=>c`<${_r} key=${y} series=${b} toX=${$} toY=${f} />`)}
        ${i&&c`<text
            class=${`marker-text ${i.good?"good":""}`}
            text-anchor=${i.at>.6*o?"end":"start"}
            x=${$(i.at)+(i.at>.6*o?-6:6)}
            y=${F.top-8}
            >${i.text}</text
          >`}
      </g>`,[t,g,s,o,l[0],l[1],i?.at,i?.text]),v=xr(b=>{let y=b.currentTarget.getBoundingClientRect(),S=(b.clientX-y.left-F.left)/(g-F.left-F.right);u?.(Math.min(1,Math.max(0,S))*o)});return c`<div class="chart" ref=${d}>
    <svg width=${g} height=${s} role="img" aria-label=${r} class=${u?"scrubbable":""} ...${u?v:{}}>
      ${x}
    </svg>
    ${n!==void 0&&c`<div
        class="cursor"
        style=${{transform:`translateX(${$(n)}px)`,top:`${F.top-4}px`,height:`${s-F.top-F.bottom+4}px`}}
      ></div>`}
  </div>`}function xr(e){let t=E(null);return{onPointerDown(n){n.currentTarget.setPointerCapture(n.pointerId),t.current=n.pointerType==="touch"?n.clientX:null,t.current===null&&e(n)},onPointerMove(n){t.current!==null&&Math.abs(n.clientX-t.current)>8&&(t.current=null),n.buttons&&t.current===null&&e(n)},onPointerUp(n){t.current!==null&&e(n),t.current=null}}}function _r({series:e,toX:t,toY:n}){let o=e.x.map((r,a)=>[t(r),n(e.y[a])]).filter(([,r])=>Number.isFinite(r)),s=o.map(([r,a])=>`${r.toFixed(1)},${a.toFixed(1)}`).join(" ");return c`<g
    class=${["series",e.strong&&"strong",e.dashed&&"dashed",e.plain&&"plain"].filter(Boolean).join(" ")}
    style=${{color:e.color}}
  >
    <title>${e.name}</title>
    <polyline points=${s} />
    ${!e.plain&&o.map(([r,a])=>c`<circle cx=${r.toFixed(1)} cy=${a.toFixed(1)} r=${e.strong?3.2:1.8} />`)}
  </g>`}function yr(e){let[t,n]=w(480);return xe(()=>{let o=e.current,s=()=>n(Math.max(200,Math.round(o.clientWidth))),r=new ResizeObserver(s);return r.observe(o),s(),()=>r.disconnect()},[]),t}var Nt={deletion:"removed",insertion:"shown"};function st({chosen:e,set:t,series:n,flip:o,valueText:s}){let{bundle:r,direction:a,count:i,reference:l}=e,u=Nt[a],p=C(()=>o==null?null:{at:o,...a==="deletion"?{text:"decision flips"}:{text:"recognized",good:!0}},[o,a]),h=C(()=>[0,vn(n.flatMap(({y:m})=>m))],[n]);return c`<div class="scrubber">
    <div class="row">
      <${L}
        label="Test by"
        value=${a}
        onChange=${m=>t({direction:m,count:0})}
        options=${[["deletion","removing pixels"],["insertion","adding pixels"]]}
      />
      ${r.references.length>1&&c`<${L}
          label=${a==="deletion"?"Replace by":"Start from"}
          value=${r.references[l].name}
          onChange=${m=>t({reference:m})}
          options=${r.references.map(m=>[m.name,Y(m.name)])}
        />`}
    </div>
    <${ae}
      series=${n}
      range=${h}
      formatY=${m=>P(m,h[1]<.04?1:0)}
      position=${i}
      max=${r.pixels}
      marker=${p}
      onScrub=${m=>t({count:jn(e,m)})}
      label=${`Probability while pixels are ${u}. Drag to scrub.`}
      axis=${`pixels ${u}, most important first`}
    />
    <${Pt} name="scrub" chosen=${e} set=${t} valueText=${s} />
    <p class="legend">
      <span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${P(i/r.pixels,1)} · ${B(i)} pixels ${u}</span>
    </p>
  </div>`}function Pt({name:e,chosen:t,set:n,valueText:o}){let{bundle:s,direction:r,count:a,curve:i}=t,{pixels:l}=s,u=$=>n({count:Math.min(l,Math.max(0,$))}),p=i.counts.filter($=>$<a).at(-1),h=i.counts.find($=>$>a),m=$=>{let f={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[$.key],x={PageUp:h??a,PageDown:p??a,Home:0,End:l}[$.key];f===void 0&&x===void 0||($.preventDefault(),u(x??a+Math.round((f??0)*l/100)))},d=E(a),g=E(m);return g.current=m,T(()=>{if(e!=="scrub")return;let $=f=>["ArrowLeft","ArrowRight"].includes(f.key)&&vr(f)&&g.current(f);return addEventListener("keydown",$),()=>removeEventListener("keydown",$)},[e]),c`<div class="slide">
    <button
      type="button"
      class="step"
      aria-label="Previous measured point"
      disabled=${p===void 0}
      onClick=${()=>u(p??0)}
    >
      ‹
    </button>
    <input
      type="range"
      data-name=${e}
      min="0"
      max=${l}
      step="1"
      value=${a}
      aria-label=${`Pixels ${Nt[r]}`}
      aria-valuetext=${`${P(a/l,1)} of the pixels ${Nt[r]}. ${o}`}
      style=${{"--filled":`${100*a/l}%`}}
      onInput=${$=>n({count:jn(t,Number($.currentTarget.value))})}
      onKeyDown=${m}
      onPointerDown=${()=>d.current=a}
      onPointerCancel=${()=>n({count:d.current})}
    />
    <button
      type="button"
      class="step"
      aria-label="Next measured point"
      disabled=${h===void 0}
      onClick=${()=>u(h??0)}
    >
      ›
    </button>
  </div>`}var vr=e=>!e.defaultPrevented&&!(e.altKey||e.ctrlKey||e.metaKey||e.shiftKey)&&!e.target.closest("input, select, textarea"),jn=({bundle:e,curve:t},n)=>In(t.counts,Math.round(n),.008*e.pixels);function Bn(e){let t=E(0);return(n,o)=>{let s=()=>cancelAnimationFrame(t.current);if(s(),matchMedia("(prefers-reduced-motion: reduce)").matches)return e({count:o});let r=performance.now(),a=i=>{let l=Math.min(1,Math.max(0,(i-r)/700));e({count:l<1?Math.round(n+(o-n)*l*l*(3-2*l)):o}),l<1&&(t.current=requestAnimationFrame(a))};t.current=requestAnimationFrame(a);for(let i of["pointerdown","keydown"])addEventListener(i,s,{capture:!0,once:!0})}}var It={U8:Uint8Array,U16:Uint16Array,U32:Uint32Array,I16:Int16Array,I32:Int32Array,F32:Float32Array};function qn(e,{packed:t=!1}={}){let n=new DataView(e.buffer,e.byteOffset,e.byteLength),o=8+Number(n.getBigUint64(0,!0)),s=JSON.parse(new TextDecoder().decode(e.subarray(8,o))),r=new Map;for(let[a,i]of Object.entries(s)){if(a==="__metadata__")continue;let[l,u]=i.data_offsets,p=e.slice(o+l,o+u),h=i.shape,m=t?wr(p,i.dtype,h[h.length-1]):p,d=new It[i.dtype](m.buffer);r.set(a,{values:d,shape:h})}return{metadata:s.__metadata__??{},tensors:r}}function wr(e,t,n){let o=kr(e,It[t].BYTES_PER_ELEMENT);if(t.startsWith("I"))return o;let s=new It[t==="F32"?"U32":t](o.buffer);if(Cr(s,n),t==="F32")for(let r=0;r<s.length;r++)s[r]=s[r]&2147483648?s[r]&2147483647:~s[r];return o}function kr(e,t){let n=e.length/t,o=new Uint8Array(e.length);for(let s=0;s<t;s++)for(let r=0;r<n;r++)o[r*t+s]=e[s*n+r];return o}function Cr(e,t){for(let n=0;n<e.length;n++)e[n]=e[n]>>>1^-(e[n]&1);for(let n=t;n<e.length;n++)e[n]+=e[n-t];for(let n=1;n<e.length;n++)n%t&&(e[n]+=e[n-1])}var Hn=["deletion","insertion"],Ot=["random","center"],zt=class{constructor(t,n,o){this.bundle=o,this.method=t.label||t.method,this.about=t.about,this.options=t.options,this.classAgnostic=t.class_agnostic,this.cost=t.cost,this.checks=t.checks,this.scores=t.scores,this.citation=t.citation,this.code=t.code,this.tensors=n.has("order")?Mr(n,o):n,this.asked=new Map,this.ranked=new Map,this.ordered=new Map;let[,s,r]=this.tensor("maps").shape;this.rows=s,this.cols=r,this.name=t.method,this.isBaseline=Ot.includes(this.name)}tensor(t){let n=this.tensors.get(t);if(!n)throw new Error(`the bundle holds no ${t} of ${this.method}`);return n}has(...t){return t.every(n=>this.tensors.has(n))}ofClass(t,n){let{values:o,shape:s}=this.tensor(t),r=o.length/s[0],a=s[0]===1?0:n;return o.subarray(a*r,(a+1)*r)}score(t,n,o){let s=this.scores.filter(r=>r.metric===t&&r.target===n);return s.find(r=>r.reference===o)??s.find(r=>r.reference==="all")}map(t){return this.ofClass("maps",t)}orders(t){let n=this.classAgnostic?0:t,o=this.ordered.get(n)??this.map(n).every(Number.isFinite);return this.ordered.set(n,o),o}get contrasts(){return!this.classAgnostic&&this.bundle.targets.every((t,n)=>this.orders(n))}ranks(t){if(this.has("ranks"))return this.ofClass("ranks",t);let n=this.classAgnostic?0:t,o=this.ranked.get(n);if(o)return o;let s=this.orders(n)?se(this,n):new Float64Array(this.bundle.pixels),r=En(s,this.ofClass("corrections",n));return this.ranked.set(n,r),r}curve(t,n,o){let s=this.bundle.counts[n],r=this.bundle.references.length,a=Hn.indexOf(n)*r+o,i=this.bundle.watched.length,l=this.ofClass("probabilities",t),u=this.ofClass("top1",t),p=this.ofClass("top1_probabilities",t),h=s.length,m={counts:s,probabilities:l.subarray(a*h*i,(a+1)*h*i),top1:u.subarray(a*h,(a+1)*h),highest:p.subarray(a*h,(a+1)*h)};return(this.asked.get(Wn(t,n,o))??[]).reduce(Nn,m)}addPoint(t,n,o,s){let r=Wn(t,n,o);this.asked=new Map(this.asked).set(r,[...this.asked.get(r)??[],s])}},Wn=(e,t,n)=>`${e} ${t} ${n}`,Rt=class{constructor(t,n,o){this.name=t;let[s,r]=Hn.map(a=>{let{values:i,shape:l}=n(a)??n("deletion"),u=i.length/l[0];return Array.from({length:l[0]},(p,h)=>Jn(i.subarray(h*u,(h+1)*u),o))});this.images={deletion:s,insertion:r}}image(t,n){let o=this.images[t];return o.length===1?o[0]:o[n]}},Ft=class{constructor(t,n){this.name=t.name,this.model=t.model,this.targets=t.targets,this.prediction=t.prediction,this.counts=t.counts,this.classNames=t.class_names;let o=n.get("image");if(!o)throw new Error("the bundle holds no image");this.height=o.shape[1],this.width=o.shape[2],this.pixels=this.height*this.width,this.image=Jn(o.values,this.pixels),this.watched=t.watched.map((s,r)=>({index:s,slot:r,name:this.className(s),probability:t.probabilities[r]})),this.references=t.references.map(s=>new Rt(s,r=>n.get(`references.${s}.${r}`),this.pixels)),this.entries=t.explanations.map((s,r)=>new zt(s,Sr(n,`explanations.${r}.`),this))}className(t){return(this.classNames[t]??`class ${t}`).split(",")[0]}info(t){return this.watched.find(n=>n.index===t)}};async function Gn(e){let t=new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip")),n=new Uint8Array(await new Response(t).arrayBuffer()),{metadata:o,tensors:s}=qn(n,{packed:!0});return new Ft(JSON.parse(o.seewhy),s)}function Jn(e,t){let n=e.length/3,o=new Uint8ClampedArray(t*4);for(let s=0,r=0;s<t;s++,r+=4){let a=n===1?0:s;o[r]=e[a],o[r+1]=e[n+a],o[r+2]=e[2*n+a],o[r+3]=255}return new Uint32Array(o.buffer)}function Mr(e,{height:t,width:n,pixels:o}){let[s,r,a]=["order","levels","step"].map(d=>e.get(d).values),i=s instanceof Int16Array,l=i?new Uint16Array(s.buffer):s,u=new Int32Array(r.buffer),p=i?new Uint16Array(s.length):new Uint32Array(s.length),h=new Float32Array(s.length);for(let d=0;d<s.length;d++){let g=Math.floor(d/o),$=g*o+l[d];p[$]=d-g*o,h[$]=u[d]*a[g]}let m=[a.length,t,n];return new Map(e).set("maps",{values:h,shape:m}).set("ranks",{values:p,shape:m})}function Sr(e,t){return new Map([...e].filter(([n])=>n.startsWith(t)).map(([n,o])=>[n.slice(t.length),o]))}function K(e,t){let n=e.entries[t.method]??e.entries[0],o=Math.max(0,e.targets.indexOf(t.class)),s=Math.max(0,e.references.findIndex(r=>r.name===t.reference));return{bundle:e,entry:n,target:o,explained:e.info(e.targets[o]),reference:s,count:Math.round(Math.min(e.pixels,Math.max(0,t.count))),direction:t.direction,curve:n.curve(o,t.direction,s),view:Ee(t)}}var ie=e=>`var(--series-${e%8})`;function Kn({bundle:e,state:t,set:n}){let o=K(e,t),{target:s,reference:r,direction:a,count:i,explained:l,view:u}=o,p=C(()=>Pr(o),[e,s,r,a]),h=e.entries.map(g=>g.orders(s)?nt(g.curve(s,a,r),i).values[l.slot]:null),m=e.entries.map((g,$)=>`${g.method} ${at(h[$])}`).join(", "),d=C(()=>({top:c`<header class="intro">
      <h1>Which map finds what the model needs?</h1>
      <p>
        Every method ranks the pixels of this image for <b>${l.name}</b>. Drag once, and each map loses its own
        most important pixels: the better the map, the sooner
        the probability ${a==="deletion"?"drops":"rises"}. Scattered pixels destroy any image, so a
        quick drop alone proves little: a map is worth looking at if its insertion − deletion beats the baselines.
      </p>
    </header>
    <div class="choices row">
      ${e.targets.length>1&&c`<${L}
          label="Class"
          value=${String(l.index)}
          onChange=${g=>n({class:Number(g)})}
          options=${e.targets.map(g=>[String(g),e.className(g)])}
        />`}
      <${L}
        label="Show"
        value=${t.show}
        onChange=${g=>n({show:g})}
        options=${[["both","Map and image"],["map","Map"],["image","Image"]]}
      />
      ${t.show!=="image"&&c`<${L}
          label="Map"
          value=${t.view}
          onChange=${g=>n({view:g})}
          options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"]]}
        />`}
      <div class="field zooms">
        <span class="label">Zoom ${u.zoom.toFixed(1)}×</span>
        <div class="segmented" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom out" onClick=${()=>n(re(u,u.zoom/1.5))}>−</button>
          <button type="button" aria-label="Zoom in" onClick=${()=>n(re(u,u.zoom*1.5))}>+</button>
          <button type="button" onClick=${()=>n({zoom:1,x:0,y:0})}>Reset</button>
        </div>
      </div>
    </div>`,scores:c`<section class="card scores" aria-label="Scores">
        <h2>Scores</h2>
        <${Nr} chosen=${o} state=${t} set=${n} />
      </section>`,disagreement:c`<${Er} chosen=${o} set=${n} />`}),[e,s,r,a,t.show,t.view,t.sort,t.descending,t.zoom,t.x,t.y]);return c`${d.top}
    <div class="compare">
      <div class="column">
      <section class="card curves" aria-label="Curves">
        <h2>Probability of ${l.name}</h2>
        <${st} chosen=${o} set=${n} series=${p} valueText=${m} />
        <p class="names">
          ${e.entries.map((g,$)=>c`<span><i class="swatch" style=${{background:it(g,$)}}></i>${g.method}</span>`)}
        </p>
      </section>
      ${d.disagreement}
      </div>
      <div class="column">
      <section class="methods" aria-label="Methods" style=${{"--columns":Ar(e.entries.length,t.show)}}>
        ${e.entries.map((g,$)=>c`<${Tr} key=${$} entry=${g} chosen=${o} state=${t} set=${n} color=${it(g,$)} value=${h[$]} />`)}
      </section>
      ${d.scores}
      </div>
      <div class="dock"><${Pt} name="dock" chosen=${o} set=${n} valueText=${m} /></div>
    </div>`}var at=e=>e===null?"not tested":k(e),Ar=(e,t)=>e<=(t==="both"?6:4)?e:Math.ceil(e/2);function Tr({entry:e,chosen:t,state:n,set:o,color:s,value:r}){let{bundle:a,target:i,reference:l,direction:u,count:p,view:h}=t,m={width:a.width,height:a.height,view:h,onView:o},d=c`<button
    type="button"
    class="link"
    title=${`Explain with ${e.method}`}
    onClick=${()=>o({screen:"explain",method:a.entries.indexOf(e)})}
  >
    <i class="swatch" style=${{background:s}}></i>${e.method}
  </button>`,g=n.show!=="image",$=n.show==="map"?at(r):void 0,f=C(()=>g&&c`<${O} ...${m} title=${d} note=${$}>
        <${G} bundle=${a} /><${rt}
          entry=${e}
          target=${i}
          view=${n.view}
          opacity=${n.opacity}
          label=${`Map by ${e.method}`}
      /><//>`,[e,i,g,$,n.view,n.opacity,n.zoom,n.x,n.y]);return c`<div class="method">
    ${f}
    ${n.show!=="map"&&c`<${O}
        ...${m}
        title=${g?c`<span class="muted">${a.className(a.targets[i])}</span>`:d}
        note=${c`<b>${at(r)}</b>`}
      >
        <${ot}
          entry=${e}
          target=${i}
          reference=${l}
          direction=${r===null?"deletion":u}
          count=${r===null?0:p}
          label=${`Perturbed by ${e.method}: ${at(r)}`}
      /><//>`}
  </div>`}function Er({chosen:{bundle:e,target:t,view:n},set:o}){let s=e.entries.filter(i=>!i.isBaseline&&i.orders(t)),r=C(()=>s.length>1?Rn(s.map(i=>zn(se(i,t),i.ranks(t)))):null,[e,t]);if(!r)return null;let a=r.reduce((i,l)=>i+l,0)/r.length;return c`<section class="card disagreement" aria-label="Disagreement">
    <h2>Where the methods disagree</h2>
    <p class="muted">
      Bright where ${s.map(i=>i.method).join(", ")} rank a pixel differently. On average, ranks differ
      by ±${P(a)}. Pixels of equal value share their mean rank.
    </p>
    <${O} title="Spread of the ranks" width=${e.width} height=${e.height} view=${n} onView=${o}>
      <${G} bundle=${e} />
      <${R}
        name="disagreement"
        width=${e.width}
        height=${e.height}
        deps=${[r]}
        label="Standard deviation of the relative ranks"
        draw=${i=>X(i,he(r),.9)}
      />
    <//>
  </section>`}function Nr({chosen:{bundle:e,reference:t,explained:n},state:o,set:s}){let r=e.references[t].name,a=[...new Map(e.entries.flatMap(g=>g.scores.map($=>[$.metric,$.higher_is_better])))],i=(g,$)=>$==="passes"?g.cost.forwards+g.cost.backwards:g.score($,n.index,r)?.score??null,l=[...a,["passes",!1]],u=o.descending?-1:1,p=[...e.entries].sort((g,$)=>{if(o.sort==="method")return u*g.method.localeCompare($.method);let[f,x]=[i(g,o.sort),i($,o.sort)];return f===null||x===null?+(f===null)-+(x===null):u*(f-x)}),h=new Map(l.map(([g,$])=>{let f=e.entries.map(x=>i(x,g)).filter(x=>x!==null);return[g,$?Math.max(...f):Math.min(...f)]})),m=(g,$)=>s(g===o.sort?{descending:!o.descending}:{sort:g,descending:$}),d=(g,$,f)=>c`<th
      scope="col"
      key=${g}
      aria-sort=${g===o.sort?o.descending?"descending":"ascending":"none"}
    >
      <button type="button" onClick=${()=>m(g,$)}>
        ${g==="ins_del"?"ins − del":Ve(g)} <span aria-hidden="true">${g===o.sort?o.descending?"▼":"▲":f}</span>
      </button>
    </th>`;return c`<div class="scroll">
      <table>
        <thead>
          <tr>
            ${d("method",!1,"")}${l.map(([g,$])=>d(g,$,$?"↑":"↓"))}
          </tr>
        </thead>
        <tbody>
          ${p.map(g=>c`<tr key=${e.entries.indexOf(g)}>
                <th scope="row">
                  <i class="swatch" style=${{background:it(g,e.entries.indexOf(g))}}></i
                  >${g.method}
                </th>
                ${l.map(([$])=>{let f=i(g,$),x=f===null?"–":$==="passes"?Ne(f):U(f);return c`<td
                    class=${$!=="passes"&&f!==null&&f===h.get($)?"best":""}
                  >
                    ${x}
                  </td>`})}
              </tr>`)}
        </tbody>
      </table>
    </div>
    <p class="muted">
      Reference: ${Y(r)}. ↑ higher is better, ↓ lower is better; the best value is bold. Passes: forward and backward,
      to make the map.
    </p>`}var it=(e,t)=>e.isBaseline?["var(--muted)","var(--ink)"][Ot.indexOf(e.name)]:ie(t);function Pr({bundle:e,target:t,direction:n,reference:o,explained:s}){let r=e.watched.length;return e.entries.flatMap((a,i)=>{if(!a.orders(t))return[];let{counts:l,probabilities:u}=a.curve(t,n,o),p=l.map((h,m)=>u[m*r+s.slot]);return[{name:a.method,color:it(a,i),x:l,y:p,strong:!a.isBaseline,dashed:a.isBaseline}]})}var Xn=95367431640625e-20;function Vn(e,{temperatures:t,mode:n,scale:o}){let s=t.map(u=>n==="multiply"?u:1/u),r=o==="max"&&Ir(e)||1,a=e[0].length,i=e.map(()=>new Float64Array(a)),l=new Float64Array(e.length);for(let u=0;u<a;u++){let p=Math.max(...e.map(h=>h[u]));for(let h of s){let m=0;for(let d=0;d<e.length;d++)m+=l[d]=Math.exp((e[d][u]-p)/r*h);for(let d=0;d<e.length;d++)i[d][u]+=l[d]/m/s.length}}return i}function Yn(e,t,n){let o=1/e.length,s=Math.max(n,Xn);return e.map((r,a)=>r.map((i,l)=>t[a][l]-o>s?i*t[a][l]:0))}function Qn(e,t){let n=1/e.length;return e[0].map((o,s)=>{let r=Math.min(...e.map(i=>Math.max(i[s],0))),a=Math.max(...t.map(i=>i[s]));return r*(1-(a-n)/(1-n))})}function Zn(e,t){let n=e.map(o=>new Float64Array(o.length));for(let o=0;o<e[0].length;o++){let s=t.map(l=>l[o]),r=Math.max(...s),a=s.indexOf(r),i=Math.max(...s.filter((l,u)=>u!==a));r-i>Xn&&(n[a][o]=Math.max(e[a][o],0)*(r-i))}return n}function Ir(e){let t=0;for(let n of e)for(let o of n)t=Math.max(t,Math.abs(o));return t}function zr(e,t,n){let o=t.map(r=>se(e,r)),s=Vn(o,n);return{distribution:s,own:Yn(o,s,n.margin),won:Zn(o,s),shared:Qn(o,s)}}var eo=[1,5,100];function Rr(e,t){let n=e.split(/[\s,;]+/).filter(Boolean).map(Number),o=s=>s<1/0&&(t==="divide"?s>0:s>=0);return n.length&&n.every(o)?n:null}function oo({bundle:e,state:t,set:n}){let{view:o}=K(e,t),s=e.entries.filter(b=>b.contrasts),r=s.includes(e.entries[t.method])?e.entries[t.method]:s[0],a=Math.max(0,e.targets.indexOf(t.a)),i=e.targets.includes(t.b)&&e.targets.indexOf(t.b)!==a?e.targets.indexOf(t.b):+(a===0),l=Rr(t.temperatures,t.mode),u=l??eo,p=C(()=>zr(r,[a,i],{temperatures:u,mode:t.mode,scale:t.scaled?"max":null,margin:t.margin}),[r,a,i,u.join(),t.mode,t.scaled,t.margin]),h=C(()=>et(p.own),[p]),[m,d]=[a,i].map(b=>e.className(e.targets[b])),g=[Math.min(1,2*(1-t.mix)),Math.min(1,2*t.mix)],$=C(()=>p.own.map((b,y)=>to(b)/to(se(r,[a,i][y]))),[p]),f=$.findIndex(b=>!(b>=.005)),x={width:e.width,height:e.height,view:o,onView:n},_=e.targets.map(b=>[b,e.className(b)]),v=(b,y,S,M,J)=>c`<${G} bundle=${e} color=${0} /><${R}
        name=${b}
        width=${e.width}
        height=${e.height}
        label=${J}
        deps=${[y,S]}
        draw=${ge=>Sn(ge,y,S,M)}
      />`;return c`<header class="intro">
      <h1>Why <strong class="class-a">${m}</strong> and not <strong class="class-b">${d}</strong>?</h1>
      <p>
        Where both classes claim the same pixels, they compete, and each keeps only what it wins (VAR); what both claim
        about equally is shared. Slide from one class to the other. The model gives${" "}
        ${m} ${k(e.info(e.targets[a])?.probability??0)} and ${d} ${k(e.info(e.targets[i])?.probability??0)}.
      </p>
      ${f>=0&&c`<p class="error" role="status" data-name="beaten">
        ${[m,d][f]} wins ${$[f]>0?"next to nothing":"nothing"}: the map of ${[d,m][f]} is higher wherever ${[m,d][f]} has evidence.
      </p>`}
    </header>
    <div class="choices row">
      <${Ye}
        label="A"
        value=${e.targets[a]}
        options=${_}
        onChange=${b=>n(b===e.targets[i]?{a:b,b:e.targets[a]}:{a:b})}
      />
      <${Ye}
        label="B"
        value=${e.targets[i]}
        options=${_}
        onChange=${b=>n(b===e.targets[a]?{a:e.targets[i],b}:{b})}
      />
      <${Ye}
        label="Method"
        value=${e.entries.indexOf(r)}
        options=${s.map(b=>[e.entries.indexOf(b),b.method])}
        onChange=${b=>n({method:b})}
      />
    </div>
    <div class="contrast">
      <section class="stage">
        <${O} ...${x} title="Who wins where" note="gray: no lead">
          <${G} bundle=${e} color=${0} />
          <${R}
            name="winners"
            width=${e.width}
            height=${e.height}
            label=${`${m} in orange, ${d} in blue`}
            deps=${[p,...g]}
            draw=${b=>Mn(b,p.won,g,.9)}
          />
        <//>
        <${Q}
          label="From A to B"
          name="mix"
          value=${t.mix}
          min=${0}
          max=${1}
          step=${.01}
          text=${Fr(t.mix,m,d)}
          onInput=${b=>n({mix:b})}
          ends=${[c`<b class="class-a">${m}</b>`,c`<b class="class-b">${d}</b>`]}
        />
      </section>
      <section class="parts">
        <${O}
          ...${x}
          title=${c`<i class="swatch class-a"></i>Won by ${m}`}
          note=${no($[0])}
          >${v("own-a",p.own[0],h,0,`Evidence that ${m} keeps`)}<//
        >
        <${O}
          ...${x}
          title=${c`<i class="swatch class-b"></i>Won by ${d}`}
          note=${no($[1])}
          >${v("own-b",p.own[1],h,1,`Evidence that ${d} keeps`)}<//
        >
        <${O} ...${x} title=${c`<i class="swatch class-shared"></i>Shared`}
          >${v("shared",p.shared,et([p.shared]),-1,"Evidence that both classes have")}<//
        >
        <div class="card settings">
          <h2>Settings</h2>
          <label class="field"
            ><span class="label">Temperatures</span
            ><input
              type="text"
              value=${t.temperatures}
              aria-invalid=${!l}
              inputmode="decimal"
              onChange=${b=>n({temperatures:b.currentTarget.value})}
            />${!l&&c`<span class="error" role="alert">
              Give numbers ${t.mode==="divide"?"above 0":"of at least 0"}, separated by commas. Shown: ${eo.join(", ")}.
            </span>`}</label
          >
          <${L}
            label="They are"
            value=${t.mode}
            onChange=${b=>n({mode:b})}
            options=${[["multiply","factors"],["divide","divisors"]]}
          />
          <${Q}
            label="Threshold above an even share"
            name="margin"
            value=${t.margin}
            min=${0}
            max=${.5}
            step=${.01}
            text=${t.margin.toFixed(2)}
            onInput=${b=>n({margin:b})}
          />
          <${_e}
            label="Scale the maps to a largest value of 1 first"
            checked=${t.scaled}
            onChange=${b=>n({scaled:b})}
          />
        </div>
      </section>
    </div>`}var to=e=>e.reduce((t,n)=>t+Math.max(n,0),0),no=e=>e>=0?`keeps ${P(e)} of its evidence`:"has no evidence";function Fr(e,t,n){return e===.5?"both":e<.5?e===0?`only ${t}`:`mostly ${t}`:e===1?`only ${n}`:`mostly ${n}`}function ye({entries:e,entry:t,explained:n,set:o}){let{bundle:s}=t;return c`<div class="choices">
    <div class="field">
      <span class="label">Explain the class</span>
      <div class="chips" role="group" aria-label="Explained class">
        ${s.targets.map(r=>{let a=s.info(r);return c`<button
            type="button"
            class="chip"
            key=${r}
            aria-pressed=${r===n.index}
            onClick=${()=>o({class:r})}
          >
            <i style=${{background:ie(a.slot)}}></i>${a.name}
            <span>${k(a.probability)}</span>
          </button>`})}
      </div>
    </div>
    <div class="field">
      <span class="label">with the method</span>
      <div class="chips" role="group" aria-label="Method">
        ${e.map(r=>c`<button
              type="button"
              class="chip"
              key=${s.entries.indexOf(r)}
              aria-pressed=${r===t}
              title=${r.about}
              onClick=${()=>o({method:s.entries.indexOf(r)})}
            >
              ${r.method}${r.isBaseline&&c` <span>baseline</span>`}
            </button>`)}
      </div>
    </div>
  </div>`}function ro(e,t,n){let o=Array.from(e),s=o.map((i,l)=>i>=n?1-(l+1)/o.length:i),r=Math.max(...s),a=Math.max(...o)/(r>0?r:1);return o.map((i,l)=>(1-t)*i+t*s[l]*a)}function so(e,t){let n=new Float64Array(e.length);return e.forEach((o,s)=>n[t[s]]=o),n}var Dt=["extras.order","extras.sparse"];function ao(e,t,n){let o=Number(e.options.kappa??.005),s=ro(e.ofClass("extras.sparse",t),n,o);return{ranked:s,map:so(s,e.ofClass("extras.order",t))}}function io({bundle:e,state:t,set:n}){let{target:o,view:s,explained:r}=K(e,t),a=e.entries.filter($=>$.has(...Dt)),i=a.includes(e.entries[t.method])?e.entries[t.method]:a[0],l=Math.min(1,Math.max(0,t.gamma)),{ranked:u,map:p}=C(()=>ao(i,o,l),[i,o,l]),h=C(()=>ao(i,o,0).ranked,[i,o]),m=C(()=>he(fe(p,i.rows,i.cols,e.height,e.width)),[p]),d=u.map(($,f)=>f+1),g=C(()=>[{name:"sparse",color:"var(--muted)",x:d,y:h,plain:!0},{name:"now",color:"var(--series-0)",x:d,y:u,strong:!0,plain:!0}],[u]);return c`<header class="intro">
      <h1>How dense should the map of <strong>${r.name}</strong> be?</h1>
      <p>
        MDA ranks the patches first and gives them magnitudes after. Gamma moves the magnitudes from sparse, where a few
        patches carry everything, to dense, where they fall evenly with the rank. The order of the patches stays.
      </p>
    </header>
    <${ye} entries=${a} entry=${i} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${O}
          title=${`${i.method} for ${r.name}`}
          note=${`gamma ${l.toFixed(2)}`}
          width=${e.width}
          height=${e.height}
          view=${s}
          onView=${n}
        >
          <${G} bundle=${e} />
          <${R}
            name="density"
            width=${e.width}
            height=${e.height}
            deps=${[m]}
            label=${`Map at gamma ${l.toFixed(2)}`}
            draw=${$=>X($,m,.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Magnitudes">
        <h2>Magnitude by rank</h2>
        <${ae}
          series=${g}
          max=${d.length}
          range=${[0,Math.max(...h)||1]}
          label="Magnitude of the patches by rank"
          axis="rank of the patch"
          formatX=${$=>String(Math.round($))}
          formatY=${$=>$.toFixed(Math.max(...h)<.1?3:2)}
        />
        <p class="legend">
          <span><i class="line now"></i>gamma ${l.toFixed(2)}</span><span><i class="line"></i>sparse, as fitted</span>
        </p>
        <${Q}
          label="Gamma"
          name="gamma"
          value=${l}
          min=${0}
          max=${1}
          step=${.01}
          text=${l.toFixed(2)}
          onInput=${$=>n({gamma:$})}
          ends=${["sparse","dense"]}
        />
      </section>
    </div>`}function lt({classes:e,values:t,measured:n,explained:o,winner:s,others:r,other:a}){return c`<ul class=${`bars ${n?"":"between"}`} aria-label="Class probabilities">
    ${e.map(({index:i,name:l,slot:u,probability:p})=>c`<li
          key=${i}
          data-class=${i}
          data-probability=${t[u]}
          class=${`${i===o?"explained":""} ${i===s?"winner":""}`}
          style=${{color:ie(u)}}
        >
          <span class="name" title=${l}>${l}</span>
          <span class="track"
            ><i style=${{transform:`scaleX(${t[u]})`}}></i><b style=${{left:`${100*p}%`}}></b
          ></span>
          <span class="value">${k(t[u])}</span>
        </li>`)}
    ${r&&c`<li
        key="other"
        data-class=${a?.index}
        data-probability=${a?.probability}
        class=${a?"winner":"muted"}
        style=${{color:"var(--muted)"}}
      >
        <span class="name" title=${a?.name}>${a?.name??"another class"}</span>
        <span class="track"><i style=${{transform:`scaleX(${a?.probability??0})`}}></i></span>
        <span class="value">${a?k(a.probability):"–"}</span>
      </li>`}
  </ul>`}function lo({chosen:{bundle:e,entry:t,target:n,reference:o,explained:s}}){let r=e.references[o].name,i=[...new Set(t.scores.map(p=>p.metric))].flatMap(p=>t.score(p,s.index,r)??[]),l=Object.entries(t.checks).filter(([,p])=>!p[n]),u=Object.entries(t.options).map(([p,h])=>`${p}=${JSON.stringify(h)}`);return c`<section class="card facts" aria-label="Facts">
    <h2>Facts</h2>
    ${t.about&&c`<p>${ue(t.about)}</p>`}
    <dl>
      ${i.map(p=>c`<div>
            <dt>${Ve(p.metric)}</dt>
            <dd>
              ${p.score===null?"undefined":U(p.score)} <span class="muted">${p.higher_is_better?"higher is better":"lower is better"}</span>
            </dd>
          </div>`)}
      <div>
        <dt>cost</dt>
        <dd>
          ${Ne(t.cost.forwards)} forward and ${Ne(t.cost.backwards)} backward passes,${" "}
          ${t.cost.seconds.toFixed(2)} s
        </dd>
      </div>
      <div>
        <dt>checks</dt>
        <dd>
          ${l.length?c`<b class="bad">failed: ${l.map(([p])=>p).join(", ")}</b>`:`passed: ${Object.keys(t.checks).join(", ")}`}
        </dd>
      </div>
      <div>
        <dt>options</dt>
        <dd>${u.join(", ")||"defaults"}</dd>
      </div>
      <div>
        <dt>map</dt>
        <dd>${t.rows} × ${t.cols} values${t.classAgnostic&&", the same for every class"}</dd>
      </div>
      <div>
        <dt>model</dt>
        <dd>${e.model}</dd>
      </div>
    </dl>
    <p class="row">
      <${me}
        text=${t.code}
        label="Copy code"
      />${t.citation&&c`<${me} text=${t.citation} label="Copy citation" />`}
    </p>
    <details>
      <summary>Code</summary>
      <pre>${t.code}</pre>
    </details>
    ${t.citation&&c`<details>
        <summary>Citation</summary>
        <pre>${t.citation}</pre>
      </details>`}
  </section>`}function co({bundle:e,state:t,set:n}){let o=Or(e,t),{entry:s,target:r,reference:a,direction:i,count:l,curve:u,explained:p}=o,h=C(()=>Ur(o),[s,s.asked,r,a,i]),m=C(()=>Gr(o),[s,s.asked,r,a,i]),d=nt(u,l),g=Bn(n),$=P(l/e.pixels),f={width:e.width,height:e.height,view:o.view,onView:n},x=C(()=>{let b=c`<${rt}
      entry=${s}
      target=${r}
      view=${t.view}
      opacity=${t.opacity}
      label=${`Map by ${s.method} for ${p.name}`}
    />`,y=c`<${Ln} view=${t.view} />`;return{layer:b,top:c`<${jr} chosen=${o} />
        <${ye} entries=${e.entries} entry=${s} explained=${p} set=${n} />`,map:t.side&&c`<${O} ...${f} title="The map" note=${y}><${G} bundle=${e} />${b}<//>`,controls:c`<${Br} state=${t} set=${n} />`,facts:c`<${lo} chosen=${o} />`}},[s,r,a,i,t.view,t.opacity,t.side,t.zoom,t.x,t.y]),_=i==="deletion"?"removed":"shown",v=l?`${$} ${_}`:i==="deletion"?"untouched":"nothing yet";return c`${x.top}
    <div class="explain">
      <section class="stage" aria-label="Image and map">
        <div class=${`panels ${t.side?"two":"one"}`}>
          <${O} ...${f} title="What the model sees" note=${v}>
            <${ot}
              entry=${s}
              target=${r}
              reference=${a}
              direction=${i}
              count=${l}
              label=${`The image with ${$} of its pixels ${_}`}
            />
            ${!t.side&&x.layer}
          <//>
          ${x.map}
        </div>
        ${x.controls}
      </section>
      <section class="card test" aria-label="Test the map">
        <h2>Test the map</h2>
        ${s.orders(r)?c`<${st}
                  chosen=${o}
                  set=${n}
                  series=${m}
                  flip=${h}
                  valueText=${`${p.name} ${k(d.values[p.slot])}`}
                />
                <${qr} chosen=${o} flip=${h} onGo=${()=>h!==null&&g(l,h)} />`:c`<p class="untested">
                This map holds NaN or infinity: it does not order the pixels, so there is nothing to test.
              </p>`}
        <${Hr} chosen=${o} now=${d} ask=${oe.measure&&(()=>Wr(o,t,n))} />
        <${lt}
          classes=${e.watched}
          values=${d.values}
          measured=${d.measured}
          explained=${p.index}
          winner=${d.measured?u.top1[d.left]:null}
          others=${u.top1.some(b=>!e.info(b))}
          other=${d.measured?Dr(o,d.left):null}
        />
        <p class="legend">
          <span><b>bold</b>: the explained class</span><span>✓: what the model says</span><span>line: without a change</span>
        </p>
      </section>
      ${x.facts}
    </div>`}function Or(e,t){let n=K(e,t);return n.entry.orders(n.target)?n:K(e,{...t,count:0,direction:"deletion"})}function Dr({bundle:e,curve:t},n){let o=t.top1[n];return e.info(o)?null:{index:o,name:e.className(o),probability:t.highest[n]}}var Ie=({bundle:e,explained:t})=>t.index!==e.prediction,Ur=e=>Ie(e)&&e.direction==="deletion"?null:Pn(e.curve,e.explained.index,e.direction);function Lr(e){let{direction:t,explained:n,entry:o,target:s}=e;return o.orders(s)?t==="deletion"?`Drag along the curve to remove its most important pixels first: if the map is right, ${Ie(e)?`the probability of ${n.name} drops early`:"the model changes its mind early"}.`:`Drag along the curve to show only its most important pixels: if the map is right, ${Ie(e)?`the probability of ${n.name} rises early`:"the model recognizes the image early"}.`:""}function jr({chosen:e}){let{bundle:t,entry:n,explained:o}=e,s=t.info(t.prediction),r=Ie(e);return c`<header class="intro">
    <h1>
      The model says <strong>${t.className(t.prediction)}</strong>${s&&c` <span class="muted">with ${k(s.probability)} probability</span>`}
    </h1>
    <p>
      ${n.isBaseline?c`<code>${n.method}</code> is a baseline: its map ignores the model. A map explains something only if
              it does better.`:c`The map shows where <code>${n.method}</code> finds the evidence
              for <b>${o.name}</b>${r&&` (${k(o.probability)})`}.`} ${Lr(e)}
    </p>
  </header>`}function Br({state:e,set:t}){return c`<div class="row controls">
    <${L}
      label="Map"
      value=${e.view}
      onChange=${n=>t({view:n})}
      options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"],["off","Off"]]}
    />
    <${Q}
      label="Opacity"
      name="opacity"
      value=${e.opacity}
      min=${0}
      max=${1}
      step=${.05}
      text=${P(e.opacity)}
      onInput=${n=>t({opacity:n})}
    />
    <${_e} label="Side by side" checked=${e.side} onChange=${n=>t({side:n})} />
    ${e.zoom>1&&c`<button type="button" class="button" onClick=${()=>t({zoom:1,x:0,y:0})}>Reset zoom</button>`}
  </div>`}function qr({chosen:e,flip:t,onGo:n}){let{bundle:o,direction:s,curve:r,explained:a}=e,{name:i}=a,l=s==="deletion"?"Remove until the decision flips":`Add until the model says ${i}`;if(t===null){let m=Ie(e)?`The model says ${o.className(o.prediction)}, not ${i}: this map has no decision to flip. Removing its pixels should make ${i} less likely.`:`The model says ${i} at every measured point.`;return c`<p class="flip muted">
      ${s==="deletion"?m:`The model never says ${i} on this curve.`}
    </p>`}let u=r.counts.indexOf(t),p=o.className(r.top1[u]),h=m=>P(r.counts[m]/o.pixels);return c`<p class="flip">
    <button type="button" class="button primary" data-name="flip" data-count=${t} onClick=${n}>${l}</button>
    <span class="muted"
      >${u?`between ${h(u-1)} and ${h(u)}, two measured points`:`at ${h(u)}`}${s==="deletion"&&`; then it says ${p}`}</span
    >
  </p>`}async function Wr({bundle:e,entry:t,target:n,direction:o,reference:s,count:r,explained:a},i,l){let u={image:i.image,method:e.entries.indexOf(t),class:a.index,direction:o,count:r},p=await oe.measure?.({...u,reference:e.references[s].name});p&&t.addPoint(n,o,s,{count:r,...p}),l({})}function Hr({chosen:{bundle:e,curve:t,explained:n},now:o,ask:s}){let r=l=>e.className(t.top1[l]),a=l=>P(t.counts[l]/e.pixels);if(!o.measured){let l=r(o.left)===r(o.right);return c`<p class="verdict">
      Between two measured points: ${n.name} about <b>${k(o.values[n.slot])}</b>.${" "}
      <span class="muted">
        Measured at ${a(o.left)} and ${a(o.right)}: ${l?r(o.left):`${r(o.left)}, then ${r(o.right)}`}.
      </span>
      ${s&&c`<button type="button" class="button" data-name="exact" onClick=${s}>Exact here</button>`}
    </p>`}let i=t.top1[o.left]!==e.prediction;return c`<p class=${`verdict ${i?"changed":""}`}>
    The model ${i?"now says":"says"} <b>${r(o.left)}</b> with <b>${k(t.highest[o.left])}</b>.
  </p>`}function Gr({bundle:e,curve:t,explained:n}){let o=e.watched.length;return e.watched.map(({name:r,slot:a,index:i})=>({name:r,color:ie(a),x:t.counts,y:t.counts.map((l,u)=>t.probabilities[u*o+a]),strong:i===n.index})).sort((r,a)=>Number(r.strong)-Number(a.strong))}var Ut=["extras.path","extras.objective"];function po({bundle:e,state:t,set:n}){let{target:o,view:s,explained:r}=K(e,t),a=e.entries.filter(f=>f.has(...Ut)),i=a.includes(e.entries[t.method])?e.entries[t.method]:a[0],l=i.tensor("extras.path").shape[1]-1,u=Math.round(Math.min(l,Math.max(0,t.step))),[p,h]=w(!1);T(()=>{if(!p)return;let f=setTimeout(()=>u<l?n({step:u+1}):h(!1),250);return()=>clearTimeout(f)},[p,u,l]);let m=C(()=>Array.from(i.ofClass("extras.objective",o)),[i,o]),d=m.filter(Number.isFinite),g=C(()=>[{name:"objective",color:"var(--series-0)",x:m.map((f,x)=>x),y:m,strong:!0}],[m]),$=()=>{!p&&u===l&&n({step:0}),h(!p)};return c`<header class="intro">
      <h1>How the map of <strong>${r.name}</strong> improved</h1>
      <p>
        <code>${i.method}</code> moves the map by gradient steps, so that removing its top pixels lowers the
        probability sooner and adding them raises it sooner: its objective is insertion minus deletion. It is
        measured with soft masks and references of the method's own: compare it from step to step, not with the scores
        of other screens. Drag along the curve to see the map after each step.
      </p>
    </header>
    <${ye} entries=${a} entry=${i} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${O}
          title=${`Step ${u} of ${l}`}
          note=${Number.isFinite(m[u])?`objective ${U(m[u])}`:"objective not measured"}
          width=${e.width}
          height=${e.height}
          view=${s}
          onView=${n}
        >
          <${G} bundle=${e} />
          <${R}
            name="film"
            width=${e.width}
            height=${e.height}
            deps=${[i,o,u]}
            label=${`Map after ${u} steps`}
            draw=${f=>X(f,Un(i,o,u),.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Objective">
        <h2>Objective</h2>
        <${ae}
          series=${g}
          position=${u}
          max=${l}
          range=${Lt(d)}
          label="Objective by step. Drag to choose a step."
          axis="step"
          ticks=${[0,Math.round(l/2),l]}
          formatX=${String}
          formatY=${f=>U(f,2)}
          onScrub=${f=>n({step:Math.round(f)})}
        />
        <${Q}
          label="Step"
          name="step"
          value=${u}
          min=${0}
          max=${l}
          step=${1}
          text=${`${u} of ${l}`}
          onInput=${f=>n({step:f})}
        />
        <button type="button" class="button primary" onClick=${$}>${p?"Pause":"Play"}</button>
      </section>
    </div>`}function Lt(e){if(!e.length)return[0,1];let[t,n]=[Math.min(...e),Math.max(...e)],o=.1*(n-t||1);return[t-o,n+o]}var Jr=[{name:"explain",title:"Explain",screen:co,offered:()=>!0},{name:"compare",title:"Compare",screen:Kn,offered:e=>e.entries.length>1},{name:"contrast",title:"A or B",screen:oo,offered:e=>e.targets.length>1&&e.entries.some(t=>t.contrasts)},{name:"density",title:"Density",screen:io,offered:e=>e.entries.some(t=>t.has(...Dt))},{name:"film",title:"Film",screen:po,offered:e=>e.entries.some(t=>t.has(...Ut))}];function ze(e){let[t,n]=w(e.state);return T(()=>{let o=()=>n(e.state);return e.listeners.push(o),o(),()=>{e.listeners.splice(e.listeners.indexOf(o),1)}},[e]),t}function uo({bundles:e,store:t,brand:n=c`<span class="brand">seewhy</span>`}){let o=ze(t),s=e[o.image]===void 0?0:o.image,r=e[s];if(!r)return c`<p class="intro">Reading the image…</p>`;let a=Jr.filter(l=>l.offered(r)),i=a.find(l=>l.name===o.screen)??a[0];return c`<nav class="top" aria-label="Explorer">
      ${n}
      ${(a.length>1||!n)&&c`<${jt} screens=${a} current=${i.name} onChange=${l=>t.go({screen:l})} />`}
      <span class="file" title=${r.name}>${r.name} · ${r.model}</span>
    </nav>
    ${e.length>1&&c`<${Kr} bundles=${e} current=${s} onChange=${l=>t.set({image:l,count:0,zoom:1,x:0,y:0})} />`}
    <div class="screen" role="region" aria-label=${i.title} data-screen=${i.name}>
      <${i.screen} key=${s} bundle=${r} state=${o} set=${t.set} />
    </div>`}function jt({screens:e,current:t,onChange:n}){return c`<div class="tabs" role="tablist" onKeyDown=${s=>{let r={ArrowLeft:-1,ArrowRight:1}[s.key];if(!r)return;s.preventDefault();let i=(e.findIndex(l=>l.name===t)+r+e.length)%e.length;n(e[i].name),s.currentTarget.children[i].focus()}}>
    ${e.map(({name:s,title:r})=>c`<button
          type="button"
          role="tab"
          key=${s}
          aria-selected=${s===t}
          tabindex=${s===t?0:-1}
          onClick=${()=>n(s)}
        >
          ${r}
        </button>`)}
  </div>`}function Kr({bundles:e,current:t,onChange:n}){return c`<div class="strip" role="group" aria-label="Images">
    ${e.map((o,s)=>c`<button type="button" key=${s} aria-pressed=${s===t} onClick=${()=>n(s)}>
          ${o?c`<${R} width=${o.width} height=${o.height} deps=${[o]} draw=${r=>r.set(o.image)} />`:c`<span class="blank"></span>`}
          <span class="name">
            <b>${o?o.className(o.prediction):"…"}</b>
            ${o&&c`<i>${k(o.info(o.prediction)?.probability??0)}</i>`}
          </span>
        </button>`)}
  </div>`}var ct=class extends Error{constructor(t,n,o){super(t),this.status=n,this.code=o}};async function Re(e,t,{body:n,type:o}={}){let s=o?{"Content-Type":o}:void 0,r=await fetch(t?`api/v1/${t}`:"api/v1",{method:e,body:n,headers:s}).catch(()=>{throw new ct("The server does not answer. Is `seewhy ui` still running?",0,"no_response")});if(r.ok)return r;let a=(await r.json().catch(()=>null))?.error;throw new ct(a?.message??`The server answered ${r.status}.`,r.status,a?.code??"")}var ve=async e=>(await Re("GET",e)).json(),mo=async e=>(await Re("GET",e)).arrayBuffer(),D=async(e,t)=>(await Re("POST",e,{body:JSON.stringify(t),type:"application/json"})).json(),pt=async e=>(await Re("DELETE",e)).json();async function ho(e){let t=e.type.startsWith("image/")?e.type:"application/octet-stream";return(await Re("POST",`images?${q({name:e.name||"pasted image"})}`,{body:e,type:t})).json()}var q=e=>new URLSearchParams(Object.entries(e).filter(([,t])=>t!==""&&t!==null&&t!==void 0).map(([t,n])=>[t,String(n)])).toString();function N(e,t){let[n,o]=w({path:null,data:null,error:""});return T(()=>{if(e===null)return;let s=!0;return ve(e).then(r=>s&&o({path:e,data:r,error:""}),r=>s&&o({path:e,data:null,error:r.message})),()=>{s=!1}},[e,t]),n.path===e?n:{data:null,error:""}}function j(){let[e,t]=w("");return[e,o=>{t(""),o().catch(s=>t(s.message))}]}function dt(e,t=200){let[n,o]=w(e),s=E(!0);return T(()=>{if(s.current)return void(s.current=!1);let r=setTimeout(()=>o(e),t);return()=>clearTimeout(r)},[e]),n}function go({live:e,go:t,explorer:n}){let[o,s]=j(),r=[...e.jobs.values()].reverse();if(!r.length)return null;let a=l=>{n.change(n.defaults),t({page:"explain",result:l.result??"",job:"",image:l.request?.image??"",targets:"",patches:"",flip:""})},i=async l=>{let{model:u,image:p,reference:h}=l.request,m=l.result?await ve(`results/${l.result}`):{model:u,image:p};t({page:"ask",model:m.model,image:m.image,result:l.result??"",kind:"delete",reference:h??"blur",patches:l.answer.patches?.join(",")??"",flip:l.id})};return c`<section class="card queue" aria-label="Jobs">
    <h2>Jobs</h2>
    ${o&&c`<p class="error" role="alert">${o}</p>`}
    <ul>
      ${r.map(l=>c`<${Xr} key=${l.id} job=${l} open=${a} openFlip=${i} go=${t} run=${s} />`)}
    </ul>
  </section>`}function Xr({job:e,open:t,openFlip:n,go:o,run:s}){let r=!["queued","running"].includes(e.state);return c`<li data-job=${e.id} data-state=${e.state}>
    <span class="job">
      <b>${e.title}</b>
      <span class=${e.state==="failed"?"error":"muted"}>${Z(e)}</span>
      ${e.state==="running"&&c`<progress max="1" value=${e.progress} aria-label="Progress"></progress>`}
    </span>
    <span class="row">
      ${e.kind==="explain"&&e.result&&(e.entries>0||e.state==="done")&&c`<button type="button" class="button" onClick=${()=>t(e)}>Open</button>`}
      ${e.kind==="flip"&&e.state==="done"&&c`<button type="button" class="button" onClick=${()=>s(()=>n(e))}>Open</button>`}
      ${e.kind==="dataset"&&e.state==="done"&&c`<button type="button" class="button" onClick=${()=>o({page:"data",sort:"ins_del",method:e.request.method.name})}>Show the worst</button>`}
      ${e.answer?.code&&c`<${me} text=${e.answer.code} label="Copy code" />`}
      ${!r&&e.stoppable&&c`<button type="button" class="button" onClick=${()=>s(()=>D(`jobs/${e.id}/stop`,{}))}>Stop, keep the best</button>`}
      <button type="button" class="button" onClick=${()=>s(()=>pt(`jobs/${e.id}`))}>${r?"Remove":"Cancel"}</button>
    </span>
  </li>`}function Z(e){if(e.state==="failed")return`failed: ${e.error}`;if(e.state==="queued")return e.position?`waiting, ${e.position} before it`:"next";if(e.state==="done")return`done in ${fo(e.seconds)}${e.error?`, but ${e.error}`:""}`;if(e.state!=="running")return e.state;let t=e.seconds_left===null?"":`, ${fo(e.seconds_left)} left`;return`${P(e.progress)}${t}${e.stage?` · ${e.stage}`:""}`}var fo=e=>e<90?`${Math.max(1,Math.round(e))} s`:`${Math.round(e/60)} min`;function $o({image:e,reference:t,grid:[n,o],size:[s,r],kind:a,patches:i,onStart:l,onChange:u}){let p=E({adding:!0,chosen:new Set(i),active:!1}),[h,m]=w(-1),d=new Set(i),g=b=>{let y=b.currentTarget.getBoundingClientRect(),S=Math.floor((b.clientX-y.left)/y.width*o),M=Math.floor((b.clientY-y.top)/y.height*n);return M>=0&&M<n&&S>=0&&S<o?M*o+S:-1},$=b=>{let{adding:y,chosen:S}=p.current;b<0||S.has(b)===y||(y?S.add(b):S.delete(b),u([...S]))},f=b=>{p.current={adding:!d.has(b),chosen:new Set(i),active:!0},l(),$(b)},x=b=>{let y={ArrowLeft:-1,ArrowRight:1,ArrowUp:-o,ArrowDown:o}[b.key];if(y!==void 0)m(Math.min(n*o-1,Math.max(0,Math.max(0,h)+(h<0?0:y))));else if((b.key===" "||b.key==="Enter")&&h>=0)f(h),p.current.active=!1;else return;b.preventDefault()},_=b=>({x:b%o,y:Math.floor(b/o)}),v=a==="delete"?i:Array.from({length:n*o},(b,y)=>y).filter(b=>!d.has(b));return c`<div class="brush" tabindex="0" role="application" aria-label=${`Patches of the image, ${i.length} chosen. Arrows move, space chooses`}
    style=${{aspectRatio:`${r} / ${s}`}}
    onKeyDown=${x}
    onBlur=${()=>m(-1)}
    onPointerDown=${b=>{b.currentTarget.setPointerCapture(b.pointerId),f(g(b))}}
    onPointerMove=${b=>b.buttons&&p.current.active&&$(g(b))}
    onPointerUp=${()=>p.current.active=!1}
  >
    <img src=${e} alt="" draggable=${!1} />
    <svg viewBox=${`0 0 ${o} ${n}`} preserveAspectRatio="none" aria-hidden="true">
      <defs><clipPath id="hidden">${v.map(b=>c`<rect key=${b} ...${_(b)} width="1" height="1" />`)}</clipPath></defs>
      <image class="reference" href=${t} width=${o} height=${n} preserveAspectRatio="none" clip-path="url(#hidden)" />
      ${i.map(b=>c`<rect key=${`c${b}`} data-patch=${b} ...${_(b)} width="1" height="1" class="chosen-patch" />`)}
      ${Array.from({length:o-1},(b,y)=>c`<line key=${`v${y}`} x1=${y+1} x2=${y+1} y1="0" y2=${n} />`)}
      ${Array.from({length:n-1},(b,y)=>c`<line key=${`h${y}`} y1=${y+1} y2=${y+1} x1="0" x2=${o} />`)}
      ${h>=0&&c`<rect class="cursor-patch" ...${_(h)} width="1" height="1" />`}
    </svg>
  </div>`}function we({add:e,go:t,about:n,problem:o}){let s=E(null),r=N("images").data?.images??[],{upload_bytes:a,megapixels:i}=n.limits;return c`<div class="picker">
    <button type="button" class="drop" onClick=${()=>s.current?.click()}>
      <b>Drop an image, paste one, or click to pick a file</b>
      <span class="muted">${n.formats.join(", ")}, up to ${a/1e6} MB and ${i} megapixels. It stays on this machine.</span>
    </button>
    <input
      ref=${s}
      type="file"
      accept="image/*"
      hidden
      aria-label="Image file"
      onChange=${l=>(e([...l.currentTarget.files]),l.currentTarget.value="")}
    />
    ${o&&c`<p class="error" role="alert">${o}</p>`}
    ${n.dataset?c`<p><button type="button" class="button" onClick=${()=>t({page:"data"})}>Or choose one of the data set</button></p>`:c`<p class="muted">To choose among the images of a folder, start the page with <code>--folder</code>.</p>`}
    ${r.length>0&&c`<div class="field">
        <span class="label">Recent images</span>
        <div class="strip">
          ${r.map(l=>c`<button type="button" key=${l.id} title=${l.name} onClick=${()=>t({image:l.id,targets:"",result:"",patches:"",flip:""})}>
                <img src=${`api/v1/images/${l.id}/thumbnail`} alt="" /><span class="name"><b>${l.name}</b></span>
              </button>`)}
        </div>
      </div>`}
  </div>`}function ke({state:e,go:t,problem:n}){let o=N(`images/${e.image}`);return c`<p class="imagebar">
    ${o.data&&c`<img src=${`api/v1/images/${e.image}/thumbnail`} alt="" /> <b>${o.data.name}</b> <span class="muted">${o.data.width} × ${o.data.height}</span>`}
    ${(n||o.error)&&c`<span class="error" role="alert">${n||o.error}</span>`}
    <button type="button" class="button" onClick=${()=>t({image:"",result:"",targets:"",patches:"",flip:""})}>Another image</button>
  </p>`}var Ce=(e,t,n=5)=>N(e?`images/${e}/prediction?model=${encodeURIComponent(t)}&top=${n}`:null),W=e=>e.split(",")[0];var Vr={page:"explain",model:"",image:"",result:"",job:"",targets:"",methods:"",options:"{}",kind:"delete",reference:"",patches:"",flip:"",base:"",sort:"name",q:"",label:-1,prediction:-1,wrong:"",low:0,high:1,method:""},Yr={page:["explain","ask","refine","data"],kind:["delete","insert","patch"],wrong:["","true","false"]},bo=()=>new $e(Vr,Yr,"query"),Me=e=>e.split(",").filter(t=>/^\d+$/.test(t)).map(Number);function Fe(e){try{return JSON.parse(e)??{}}catch{return{}}}var xo=e=>{let{data:t}=N(e?`results/${e}`:null);return t};function _o({state:e,patches:t,onPatch:n,run:o}){let s=xo(e.result);if(!s?.entries.length)return c`<span class="muted">Explain the image to get suggestions.</span>`;let r=async()=>{let a=await D("suggest",{result:e.result,entry:0,target:s.targets[0],patches:t});a.patch!==null&&n(a.patch)};return c`<button type="button" class="button" data-name="suggest" title=${`The strongest patch left in the map of ${s.entries[0].method}`} onClick=${()=>o(r)}>
    Suggest the next patch
  </button>`}function yo({state:e,set:t,model:n,live:o,about:s,reference:r,onPatches:a}){let i=xo(e.result),l=E(""),[u,p]=w(0),[h,m]=j(),d=o.jobs.get(e.flip),g=s.references.includes(r)?r:"blur",$=x=>m(async()=>{let _=await D("jobs",{kind:"flip",reference:g,...x});o.keep(_),l.current=_.id,t({flip:_.id})}),f=d?.state==="done"&&d.answer?.search==="greedy"&&d.answer.found?d.answer.patches:null;return T(()=>{f&&l.current===e.flip&&a(f)},[e.flip,!!f]),c`<div class="flips">
    <h2>What changes the decision?</h2>
    <div class="row">
      <button type="button" class="button" data-name="greedy" onClick=${()=>$({search:"greedy",model:n.id,image:e.image})}>Find the fewest patches</button>
      ${i?.entries.length?c`<button type="button" class="button" data-name="prefix" onClick=${()=>$({search:"prefix",result:e.result,entry:u,target:i.targets[0]})}>Smallest part of the map</button>
              <select aria-label="Map" onChange=${x=>p(Number(x.currentTarget.value))}>
                ${i.entries.map((x,_)=>c`<option value=${_} selected=${_===u}>${x.label||x.method}</option>`)}
              </select>`:null}
    </div>
    ${h&&c`<p class="error" role="alert">${h}</p>`}
    ${d&&c`<p role="status" data-name="flip-answer">${d.state==="done"?c`<${Qr} answer=${d.answer} model=${n} reference=${d.request.reference??"blur"} />`:c`<span class="muted">${Z(d)}</span>`}</p>`}
  </div>`}function Qr({answer:e,model:t,reference:n}){if(e.search==="greedy"){if(!e.found)return c`No set of patches that was tried changes the decision.`;let{before:r,after:a}=e.probabilities,i=e.patches.length;return c`Without ${i===1?"1 patch":`${i} patches`} the model says <b><${Bt} model=${t} index=${e.becomes} /></b>: <${Bt} model=${t} index=${e.decision} /> falls from ${k(r)} to ${k(a)}.${" "}
      <span class="muted">${e.forwards} forward passes, replaced by ${Y(n)}.</span>`}let{deletion:o,insertion:s}=e;return c`${o?c`Removing the top ${P(o.share,1)} of the map makes it <b><${Bt} model=${t} index=${o.becomes} /></b>.`:"Removing pixels never changes the decision."}${" "}
    ${s?.share===0?"The reference alone gives the same decision.":s?`Its top ${P(s.share,1)} alone restores it.`:"Adding pixels never restores it."}`}function Bt({model:e,index:t}){let n=N(`models/${encodeURIComponent(e.id)}/classes?${q({q:t,limit:1})}`).data?.classes[0];return c`${n?W(n.name):`class ${t}`}`}var Zr=["white","black","model_mean","imagenet_mean","noise"],es={delete:"deleted",insert:"inserted",patch:"patched"},ts=`tab-${Math.random().toString(36).slice(2)}`;function vo(e){return e.state.image?c`<${ns} key=${e.state.image+e.model.id} ...${e} />`:c`<header class="intro">
          <h1>What if this patch were gone?</h1>
          <p>Choose an image, brush over it, and see at once what the model says then.</p>
        </header>
        <${we} ...${e} />`}function ns(e){let{state:t,set:n,model:o,about:s}=e,r=Me(t.patches).filter(x=>x<o.grid[0]*o.grid[1]),a=t.kind==="patch"?Zr:s.references,i=a.includes(t.reference)?t.reference:t.kind==="patch"?"white":"blur",[l,u]=w([]),{answer:p,error:h,history:m}=as({model:o.id,image:t.image,kind:t.kind,patches:r,reference:i}),[d,g]=j(),$=(x,_=!0)=>{_&&u([...l,t.patches]),n({patches:x.join(",")})},f=()=>{l.length&&(u(l.slice(0,-1)),n({patches:l[l.length-1]}))};return is(f),c`<${ke} ...${e} />
    <div class="question">
      <section class="stage" aria-label="Image">
        <${$o} image=${`api/v1/images/${t.image}/view?${q({model:o.id})}`}
          reference=${`api/v1/images/${t.image}/reference?${q({model:o.id,kind:t.kind,reference:i})}`} grid=${o.grid} size=${o.image_size}
          kind=${t.kind} patches=${r} onStart=${()=>u([...l,t.patches])} onChange=${x=>$(x,!1)} />
        <p class="row">
          <button type="button" class="button" disabled=${!l.length} onClick=${f}>Undo</button>
          <button type="button" class="button" disabled=${!r.length} onClick=${()=>$([])}>Clear</button>
          <${_o} ...${e} patches=${r} onPatch=${x=>$([...r,x])} run=${g} />
          <span class="muted">${r.length} of ${o.grid[0]*o.grid[1]} patches</span>
        </p>
        ${d&&c`<p class="error" role="alert">${d}</p>`}
      </section>
      <section class="card" aria-label="Answer">
        <div class="row">
          <${L} label="Brushed patches are" value=${t.kind} onChange=${x=>n({kind:x})}
            options=${[["delete","deleted"],["insert","all there is"],...o.can_patch?[["patch","patched in"]]:[]]} />
          <${L} label=${t.kind==="delete"?"Replaced by":"The rest is"} value=${i} onChange=${x=>n({reference:x})}
            options=${a.map(x=>[x,Y(x)])} />
        </div>
        <${os} answer=${p} error=${h} />
        ${p&&c`<${rs} answer=${p} />`}
        ${p&&c`<p class="row"><${me} text=${p.code} label="Copy code" /></p>`}
        <${yo} ...${e} reference=${i} onPatches=${x=>$(x)} />
      </section>
    </div>
    <${ss} history=${m} onOpen=${x=>(u([...l,t.patches]),n({kind:x.kind,reference:x.reference,patches:x.patches.join(",")}))} />`}function wo({kind:e,patches:t}){return`${t.length===0?"No patch":t.length===1?"1 patch":`${t.length} patches`} ${es[e]}`}function os({answer:e,error:t}){if(t)return c`<p class="verdict error" role="alert">${t}</p>`;if(!e)return c`<p class="verdict muted">Asking the model…</p>`;let n=e.after.classes.find(o=>o.index===e.after.prediction);return c`<p class=${`verdict ${e.flipped?"changed":""}`} role="status">
    ${e.done}: the model ${e.flipped?"now says":"still says"} <b>${W(n?.name??`class ${e.after.prediction}`)}</b>${n&&c` with <b>${k(n.probability)}</b>`}.
  </p>`}function rs({answer:e}){let t=e.before.classes.map((o,s)=>({...o,name:W(o.name),slot:s})),n=e.after.classes.map(o=>o.probability);return c`<${lt} classes=${t} values=${n} measured=${!0} explained=${e.before.prediction} winner=${e.after.prediction} />`}function ss({history:e,onOpen:t}){return e.length?c`<section class="card history" aria-label="Questions so far">
    <h2>Questions so far</h2>
    <ol>
      ${e.map((n,o)=>{let{before:s,after:r,flipped:a}=n.answer,i=(u,p)=>u.classes.find(h=>h.index===p),l=i(r,s.prediction);return c`<li key=${o}>
          <button type="button" class="link" onClick=${()=>t(n)}>
            ${wo(n)}, ${Y(n.reference)}
          </button>
          <span class="muted">
            ${W(l?.name??"")} ${k(i(s,s.prediction)?.probability??0)} → ${k(l?.probability??0)}${a&&c`; <b>${W(i(r,r.prediction)?.name??"another class")}</b>`}
          </span>
        </li>`})}
    </ol>
  </section>`:null}function as(e){let[t,n]=w(null),[o,s]=w(""),[r,a]=w([]),i=E({busy:!1,next:null}),l=Ce(e.image,e.model,8),u=(l.data?.classes??[]).map(m=>m.index),p=async m=>{if(i.current.busy)return void(i.current.next=m);i.current.busy=!0;try{let g=await D("ask",{...m,classes:u,top:1,session:ts});n({...g,done:wo(m)}),s(""),m.patches.length&&a($=>[{...m,answer:g},...$].slice(0,100))}catch(g){g.code!=="superseded"&&s(g.message)}i.current.busy=!1;let{next:d}=i.current;i.current.next=null,d&&p(d)},h=JSON.stringify([e,u]);return T(()=>{u.length&&p(e)},[h]),{answer:t,error:o||l.error,history:r}}function is(e){let t=E(e);t.current=e,T(()=>{let n=o=>{o.key!=="z"||!(o.ctrlKey||o.metaKey)||document.activeElement?.tagName==="INPUT"||(o.preventDefault(),t.current())};return addEventListener("keydown",n),()=>removeEventListener("keydown",n)},[])}var qt=24;function ko({confusion:{classes:e,cells:t},state:n,set:o}){let s=l=>(e.find(u=>u.index===l)?.name??`class ${l}`).split(",")[0],r=l=>l.label===n.label&&l.prediction===n.prediction,i={name:s,isChosen:r,choose:l=>o(r(l)?{label:-1,prediction:-1}:{label:l.label,prediction:l.prediction})};return c`<section class="card confusion" aria-label="Confusion matrix">
    <h2>${e.length<=qt?"Confusion matrix":"Most frequent confusions"}</h2>
    ${e.length<=qt?c`<${ls} classes=${e} cells=${t} ...${i} />`:c`<${cs} cells=${t} ...${i} />`}
    <p class="muted">${e.length<=qt?"Rows: the class of the image; columns: what the model says. Click to filter.":"The class of the image, and what the model says instead. Click to filter."}</p>
  </section>`}function ls({classes:e,cells:t,name:n,isChosen:o,choose:s}){let r=new Map(t.map(i=>[`${i.label} ${i.prediction}`,i])),a=Math.max(...t.map(i=>i.count));return c`<div class="scroll"><table class="matrix">
    <thead><tr><th></th>${e.map(({index:i})=>c`<th scope="col" title=${n(i)}><span>${n(i)}</span></th>`)}</tr></thead>
    <tbody>
      ${e.map(({index:i})=>c`<tr key=${i}>
            <th scope="row" title=${n(i)}>${n(i)}</th>
            ${e.map(({index:l})=>{let u=r.get(`${i} ${l}`);if(!u)return c`<td></td>`;let p=.15+.85*Math.sqrt(u.count/a);return c`<td class=${i===l?"right":"mistaken"}>
                <button type="button" aria-pressed=${o(u)} aria-label=${`${n(i)} taken for ${n(l)}: ${u.count}`} style=${{"--strength":`${Math.round(100*p)}%`}} onClick=${()=>s(u)}>${B(u.count)}</button>
              </td>`})}
          </tr>`)}
    </tbody>
  </table></div>`}function cs({cells:e,name:t,isChosen:n,choose:o}){let s=e.filter(r=>r.label!==r.prediction).sort((r,a)=>a.count-r.count).slice(0,20);return c`<ul class="plain">
    ${s.map(r=>c`<li><button type="button" class="link" aria-pressed=${n(r)} onClick=${()=>o(r)}>${t(r.label)} → ${t(r.prediction)}</button> <span class="muted">${B(r.count)}</span></li>`)}
  </ul>`}var Oe=200,le={width:132,height:178},Co=2;function Mo({filter:e,again:t,name:n,selected:o,onSelect:s,onOpen:r,onTotal:a}){let i=E(null),{total:l,items:u,error:p,want:h}=ms(e,t,a),{columns:m,first:d,last:g}=us(i,l),[$,f]=w(0);T(()=>h(d,g),[d,g,l,t]);let x=b=>{let y=new Set(o);y.delete(b.id)||y.add(b.id),s(y)},_=b=>{let y={ArrowLeft:-1,ArrowRight:1,ArrowUp:-m,ArrowDown:m,PageDown:4*m,PageUp:-4*m}[b.key],S=u.get($);if(y!==void 0)ps(i.current,f(Math.min(l-1,Math.max(0,$+y)))??Math.floor(Math.min(l-1,Math.max(0,$+y))/m));else if(b.key==="Enter"&&S)r(S);else if(b.key===" "&&S)x(S);else return;b.preventDefault()},v=Array.from({length:Math.max(0,g-d)},(b,y)=>d+y);return c`${p&&c`<p class="error" role="alert">${p}</p>`}
    <div class="gallery" ref=${i} tabindex="0" role="grid" aria-label="Images. Arrows move, Enter opens, space selects" aria-rowcount=${Math.ceil(l/m)} onKeyDown=${_}>
      <div style=${{height:`${Math.ceil(l/m)*le.height}px`}}>
        ${v.map(b=>c`<${ds} key=${b} n=${b} item=${u.get(b)} x=${100*(b%m/m)} y=${Math.floor(b/m)*le.height} share=${100/m}
              name=${n} focused=${b===$} selected=${o.has(u.get(b)?.id??"")} onOpen=${r} onToggle=${x} />`)}
      </div>
      ${l===0&&c`<p class="muted">No image matches.</p>`}
    </div>`}function ps(e,t){let n=t*le.height;n<e.scrollTop?e.scrollTop=n:n+le.height>e.scrollTop+e.clientHeight&&(e.scrollTop=n+le.height-e.clientHeight)}function ds({n:e,item:t,x:n,y:o,share:s,name:r,focused:a,selected:i,onOpen:l,onToggle:u}){return C(()=>{let p={left:`${n}%`,width:`${s}%`,transform:`translateY(${o}px)`};if(!t)return c`<div class="cell" style=${p}><span class="blank"></span></div>`;let h=[t.ins_del===null?"":U(t.ins_del,2),t.disagreement===null?"":`≠${U(t.disagreement,2)}`].filter(Boolean).join(" ");return c`<div class=${`cell ${a?"focused":""} ${t.wrong?"wrong":""}`} role="gridcell" aria-selected=${i} data-number=${e} data-image=${t.id} style=${p}>
      <button type="button" tabindex="-1" class="open" title=${t.name} onClick=${()=>l(t)}><img src=${`api/v1/images/${t.id}/thumbnail`} alt=${t.name} decoding="async" /></button>
      <input type="checkbox" tabindex="-1" aria-label=${`Select ${t.name}`} checked=${i} onChange=${()=>u(t)} />
      <span class="says" title=${t.label===null?t.name:`${t.name}: ${r(t.label)}`}><b>${t.prediction===null?"…":r(t.prediction)}</b> <i>${t.confidence!==null&&k(t.confidence)}</i></span>
      <span class="muted says"><span class="was">${t.wrong?`is ${r(t.label)}`:t.name}</span> <i title="insertion − deletion; ≠ how much the methods disagree, from 0 to 2">${h}</i></span>
    </div>`},[t,n,o,s,a,i,r(t?.prediction??null)])}function us(e,t){let[n,o]=w({columns:1,first:0,last:0});return xe(()=>{let s=e.current,r=()=>{let i=Math.max(2,Math.floor(s.clientWidth/le.width)),l=Math.max(0,Math.floor(s.scrollTop/le.height)-Co),u=Math.ceil((s.scrollTop+s.clientHeight)/le.height)+Co,p={columns:i,first:l*i,last:Math.min(t,u*i)};o(h=>JSON.stringify(h)===JSON.stringify(p)?h:p)},a=new ResizeObserver(r);return a.observe(s),s.addEventListener("scroll",r,{passive:!0}),r(),()=>{a.disconnect(),s.removeEventListener("scroll",r)}},[t]),n}function ms(e,t,n){let[o,s]=w({total:-1,items:new Map,error:""}),r=E(new Set),a=async l=>{if(!r.current.has(l)){r.current.add(l);try{let u=await ve(`dataset/images?${e?`${e}&`:""}offset=${l*Oe}&limit=${Oe}`);s(({items:p})=>{let h=new Map(p);return u.items.forEach((m,d)=>h.set(l*Oe+d,m)),{total:u.total,items:h,error:""}}),n(u.total)}catch(u){r.current.delete(l),s(p=>({...p,error:u.message}))}}};return T(()=>{r.current=new Set,a(0)},[t]),{...o,want:(l,u)=>{for(let p=Math.floor(l/Oe);p*Oe<u;p++)a(p)}}}function ut({model:e,prediction:t,chosen:n,limit:o,onChange:s}){let[r,a]=w(""),i=dt(r.trim()),l=`models/${encodeURIComponent(e.id)}/classes?`,u=N(i?`${l}${q({q:i,limit:8})}`:null),[p,h]=w({}),m=t?.classes??[],d=m.slice(0,2).map(_=>_.index),g=n.length?n:d,$=n.filter(_=>!m.some(v=>v.index===_)),f=_=>s(g.includes(_)?g.filter(v=>v!==_):[...g,_].slice(-o)),x=_=>{h({...p,[_.index]:_.name}),a(""),g.includes(_.index)||f(_.index)};return c`<div class="field">
    <span class="label">Classes to explain${!n.length&&": the two likeliest"}</span>
    <div class="chips" role="group" aria-label="Classes to explain">
      ${m.map(_=>c`<${So} name=${W(_.name)} note=${k(_.probability)} pressed=${g.includes(_.index)} onClick=${()=>f(_.index)} />`)}
      ${$.map(_=>c`<${hs} key=${_} path=${l} index=${_} known=${p[_]} onClick=${()=>f(_)} />`)}
    </div>
    <div class="search">
      <input type="text" role="searchbox" aria-label="Find a class" placeholder=${e.named?"Find a class by name":"Find a class by index"} value=${r}
        onInput=${_=>a(_.currentTarget.value)}
        onKeyDown=${_=>_.key==="Enter"&&u.data?.classes[0]&&x(u.data.classes[0])} />
      ${r.trim()&&u.data&&c`<ul class="found" aria-label="Classes found">
        ${u.data.classes.map(_=>c`<li key=${_.index}><button type="button" onClick=${()=>x(_)}>${_.name} <span class="muted">${_.index}</span></button></li>`)}
        ${!u.data.total&&c`<li class="muted">No class is called that.</li>`}
      </ul>`}
    </div>
  </div>`}function hs({path:e,index:t,known:n,onClick:o}){let s=N(n?null:`${e}q=${t}&limit=1`).data?.classes[0]?.name;return c`<${So} name=${W(n??s??`class ${t}`)} pressed=${!0} onClick=${o} />`}function So({name:e,note:t,pressed:n,onClick:o}){return c`<button type="button" class="chip" aria-pressed=${n} onClick=${o}>
    ${e}${t&&c` <span>${t}</span>`}
  </button>`}function mt({options:e,values:t,onChange:n}){if(!e.length)return c`<p class="muted">No options.</p>`;let o=(s,r)=>{let{[s.name]:a,...i}=t;n(xs(r,s.default)?i:{...i,[s.name]:r})};return c`<div class="form">
    ${e.map(s=>c`<${fs} key=${s.name} option=${s} value=${s.name in t?t[s.name]:s.default}
          onChange=${r=>o(s,r)} />`)}
  </div>`}function fs({option:e,value:t,onChange:n}){let o=e.doc||e.words,s=e.kinds.length===1?e.kinds[0]:null;return c`<label class="field option" title=${o.replaceAll("`","")}>
    <span class="label">${e.name}</span>
    ${s?.type==="boolean"?c`<input type="checkbox" checked=${t===!0} onChange=${r=>n(r.currentTarget.checked)} />`:s?.type==="choice"?c`<select onChange=${r=>n(JSON.parse(r.currentTarget.value))}>
              ${s.choices?.map(r=>c`<option value=${JSON.stringify(r)} selected=${r===t}>${r}</option>`)}
            </select>`:c`<${gs} option=${e} value=${t} onChange=${n} />`}
    <span class="hint muted">${e.words}${e.doc&&e.doc!==e.words&&c`. ${ue(e.doc)}`}</span>
  </label>`}function gs({option:e,value:t,onChange:n}){let[o,s]=w(!1),r=a=>{let i=Eo(a.currentTarget.value,e.kinds);s(i===void 0),i!==void 0&&n(i)};return c`<input type="text" value=${To(t)} aria-invalid=${o} onChange=${r} />
    ${o&&c`<span class="error" role="alert">Expected ${e.words}.</span>`}`}var To=e=>e===null?"none":Array.isArray(e)?e.map(To).join(", "):String(e);function Eo(e,t){for(let n of t){let o=$s(e.trim(),n);if(o!==void 0)return o}}function $s(e,t){return t.type==="null"?/^(none|null|)$/i.test(e)?null:void 0:t.type==="boolean"?{true:!0,false:!1}[e.toLowerCase()]:t.type==="choice"?t.choices?.find(n=>String(n)===e):t.type==="integer"||t.type==="number"?bs(e,t):t.type==="color"?Ao(e,[{type:"number",minimum:0,maximum:1}],3):t.type==="list"?Ao(e,t.items??[],t.length??null):e&&/^[\w.:,\- ]{1,64}$/.test(e)&&e!=="none"?e:void 0}function bs(e,{type:t,minimum:n=-1/0,maximum:o=1/0,above:s=-1/0,odd:r}){let a=Number(e);return e!==""&&Number.isFinite(a)&&a>=n&&a<=o&&a>s&&(t==="number"||Number.isInteger(a))&&(!r||a%2===1)?a:void 0}function Ao(e,t,n){let o=e.split(",").filter(r=>r.trim()).map(r=>Eo(r,t));return o.length>0&&!o.includes(void 0)&&(n===null||o.length===n)?o:void 0}var xs=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function No({model:e,chosen:t,options:n,limit:o,onChange:s}){let[r,a]=w(""),i=N(`methods?model=${encodeURIComponent(e.id)}`),l=i.data?.methods??[],u=l.filter(f=>f.fits&&!f.wraps),p=l.filter(f=>f.fits&&f.wraps),h=r.toLowerCase().trim(),m=u.filter(f=>!h||`${f.name} ${f.summary}`.toLowerCase().includes(h)),d=f=>s(f,Object.fromEntries(Object.entries(n).filter(([x])=>f.includes(x)))),g=f=>d(t.includes(f)?t.filter(x=>x!==f):[...t,f].slice(-o)),$=(f,x)=>d(t.map(_=>_===f?x?`${x}:${ht(f)}`:ht(f):_));return c`<div class="field">
    <span class="label">Methods</span>
    ${i.error&&c`<p class="error" role="alert">${i.error}</p>`}
    <ul class="chosen">
      ${t.map(f=>c`<${_s} key=${f} name=${f} model=${e} wrappers=${p} values=${n[f]??{}}
            onRemove=${()=>g(f)} onWrap=${x=>$(f,x)}
            onOptions=${x=>s(t,{...n,[f]:x})} />`)}
    </ul>
    <details class="more" open=${!t.length}>
      <summary>Add a method (${u.length})</summary>
      <input type="text" role="searchbox" aria-label="Find a method" placeholder="Find a method" value=${r} onInput=${f=>a(f.currentTarget.value)} />
      <ul class="methods-list">
        ${m.map(f=>c`<li key=${f.name}>
              <label class="check" title=${f.doc.replaceAll("`","")}
                ><input type="checkbox" name=${f.name} checked=${t.some(x=>ht(x)===f.name)} onChange=${()=>g(t.find(x=>ht(x)===f.name)??f.name)} />
                <span><code>${f.name}</code> <span class="muted">${ue(f.summary)}</span></span></label
              >
            </li>`)}
        ${!m.length&&l.length>0&&c`<li class="muted">No method is called that.</li>`}
      </ul>
    </details>
  </div>`}var ht=e=>e.split(":").at(-1)??e;function _s({name:e,model:t,wrappers:n,values:o,onRemove:s,onWrap:r,onOptions:a}){let i=N(`methods/${encodeURIComponent(e)}?model=${encodeURIComponent(t.id)}`),l=Object.keys(o).length,u=e.includes(":")?e.split(":")[0]:"";return c`<li data-method=${e}>
    <details>
      <summary>
        <code>${e}</code> <span class="muted">${l?`${l} ${l===1?"option":"options"} changed`:"options"}</span>
      </summary>
      ${i.error&&c`<p class="error" role="alert">${i.error}</p>`}
      ${i.data&&c`<p class="muted">${ue(i.data.summary)}</p>`}
      ${n.length>0&&c`<label class="field option"><span class="label">Wrapped in</span>
        <select onChange=${p=>r(p.currentTarget.value)}>
          <option value="" selected=${!u}>nothing</option>
          ${n.map(p=>c`<option value=${p.name} selected=${p.name===u}>${p.name}</option>`)}
        </select></label>`}
      ${i.data&&c`<${mt} options=${i.data.options} values=${o} onChange=${a} />`}
    </details>
    <button type="button" class="button small" aria-label=${`Remove ${e}`} onClick=${s}>×</button>
  </li>`}function Io(e){return e.state.image?c`<${ys} ...${e} />`:c`<header class="intro">
          <h1>Why does the model say that?</h1>
          <p>Choose an image; then see what the model makes of it, and which pixels it needs.</p>
        </header>
        <${we} ...${e} />`}function ys(e){let{state:t,set:n,model:o,live:s,about:r}=e,a=Ce(t.image,o.id),[i,l]=j(),u=t.methods.split(",").filter(Boolean),p=u.length?u:[o.default_method],h=Fe(t.options),m=Me(t.targets),d=s.jobs.get(t.job);ws(e,d);let g=()=>l(async()=>De(e,{methods:p.map(f=>({name:f,options:h[f]??{}})),targets:m})),$=d&&["queued","running"].includes(d.state);return c`<${ke} ...${e} />
    <div class="question">
      <section class="stage" aria-label="Image">
        <img class="seen" src=${`api/v1/images/${t.image}/view?model=${encodeURIComponent(o.id)}`} alt="The image as the model sees it" />
        ${a.error&&c`<p class="error" role="alert">${a.error}</p>`}
        <h1>${a.data?c`The model says <strong>${W(Po(a.data).name)}</strong> <span class="muted">with ${k(Po(a.data).probability)} probability</span>`:c`<span class="muted">Asking the model…</span>`}</h1>
        ${a.data&&c`<${vs} classes=${a.data.classes} />`}
      </section>
      <section class="card ask-for" aria-label="Explain">
        <h2>Explain it</h2>
        <${ut} model=${o} prediction=${a.data} chosen=${m} limit=${r.limits.targets} onChange=${f=>n({targets:f.join(",")})} />
        <${No} model=${o} chosen=${p} options=${h} limit=${r.limits.methods}
          onChange=${(f,x)=>n({methods:f.join(","),options:JSON.stringify(x)})} />
        <p class="row">
          <button type="button" class="button primary" data-name="start" disabled=${$||!p.length} onClick=${g}>Explain</button>
          <span class="muted" role="status">${$?Z(d):"Every map is tested, beside random and center."}</span>
        </p>
        ${i&&c`<p class="error" role="alert">${i}</p>`}
        ${d?.state==="failed"&&c`<p class="error" role="alert">${d.error}</p>`}
      </section>
    </div>`}var Po=({prediction:e,classes:t})=>t.find(n=>n.index===e)??t[0];function vs({classes:e}){return c`<ul class="bars" aria-label="Class probabilities">
    ${e.map(({index:t,name:n,probability:o},s)=>c`<li key=${t} data-class=${t} data-probability=${o} style=${{color:`var(--series-${s%8})`}}>
          <span class="name" title=${n}>${W(n)}</span>
          <span class="track"><i style=${{transform:`scaleX(${o})`}}></i></span>
          <span class="value">${k(o)}</span>
        </li>`)}
  </ul>`}async function De({state:e,model:t,live:n,set:o},{methods:s,targets:r=[],image:a=e.image}){let i=await D("jobs",{kind:"explain",model:t.id,image:a,targets:r.length?r:null,methods:s});return n.keep(i),o({job:i.id}),i}function ws({set:e,go:t,explorer:n},o){let s=o&&(o.state==="done"||o.entries>0)?o.result:null;T(()=>{s&&(n.change(n.defaults),e({job:""}),t({page:"explain",result:s}))},[s])}var ks=[["name","name"],["-confidence","most confident"],["confidence","least confident"],["ins_del","worst insertion − deletion"],["-ins_del","best insertion − deletion"],["-disagreement","methods disagree most"],["label","class"],["prediction","predicted class"]];function zo(e){let{about:t,live:n,model:o}=e,s=N("reports").data?.reports??[],r=n.predicted.get(o.id)??0,a=N(t.dataset?`dataset?${q({model:o.id})}`:null,`${r} ${Ro(n)}`);return c`${t.dataset&&c`<${Cs} key=${o.id} ...${e} dataset=${a.data} seen=${r} />`}
    ${a.error&&c`<p class="error" role="alert">${a.error}</p>`}
    ${s.length>0&&c`<section class="card" aria-label="Reports"><h2>Reports</h2>
        <ul class="plain">${s.map(i=>c`<li><a href=${i.href} target="_blank" rel="noopener">${i.name}</a> <span class="muted">${i.kind}</span></li>`)}</ul>
      </section>`}`}var Ro=e=>[...e.jobs.values()].filter(t=>t.kind==="dataset"&&t.state==="done").length,Wt=e=>({label:e.label<0?null:e.label,prediction:e.prediction<0?null:e.prediction,wrong:e.wrong||null,min_confidence:e.low||null,max_confidence:e.high<1?e.high:null,q:e.q||null});function Cs(e){let{state:t,set:n,go:o,model:s,live:r,dataset:a,seen:i}=e,[l,u]=w(new Set),[p,h]=w(0),[m,d]=j(),g=`${Math.floor(i/200)} ${i===a?.images} ${Ro(r)}`,$=N(`dataset/confusion?${q({model:s.id})}`,g).data,f=C(()=>new Map(($?.classes??[]).map(y=>[y.index,y.name.split(",")[0]])),[$]),x=y=>y===null?"":f.get(y)??`class ${y}`,_=dt(q({model:s.id,...Wt(t),sort:t.sort,method:t.method}),150),v=y=>d(async()=>{o({...ft,page:"explain",image:y.id,model:s.id});let S=(a?.methods??[]).map(({name:J,options:ge})=>({name:J,options:ge})),M=S.length?S:[{name:s.default_method,options:{}}];await De(e,{image:y.id,methods:M,targets:y.stored_targets??[]})}),b=a?Math.max(a.predicted,i):0;return c`<header class="intro">
      <h1>${a?c`${B(a.images)} images <span class="muted">of ${a.name}</span>`:"Reading the folder…"}</h1>
      <p>${a&&b<a.images?c`The model has seen ${B(b)} of them so far; the others follow.`:"Sort and filter, then open an image to see why the model decided so."}</p>
    </header>
    <${Ms} state=${t} set=${n} dataset=${a} confusion=${$} name=${x} />
    <div class="dataset">
      <div>
        <p class="row found-count"><b data-name="total">${B(p)} images</b>
          <${Ss} ...${e} selected=${l} total=${p} run=${d} onDone=${()=>u(new Set)} />
        </p>
        ${m&&c`<p class="error" role="alert">${m}</p>`}
        <${Mo} key=${_} filter=${_} again=${g} name=${x} selected=${l} onSelect=${u} onOpen=${v} onTotal=${h} />
      </div>
      ${$?.cells.length>0&&c`<${ko} confusion=${$} state=${t} set=${n} />`}
    </div>`}function Ms({state:e,set:t,dataset:n,confusion:o,name:s}){let r=(o?.classes??[]).map(u=>u.index),a=(u,p,h,m)=>c`<label class="field"><span class="label">${u}</span>
      <select aria-label=${u} onChange=${d=>m(d.currentTarget.value)}>
        ${h.map(([d,g])=>c`<option value=${d} selected=${String(d)===String(p)}>${g}</option>`)}
      </select></label>`,i=(u,p)=>c`<input type="text" inputmode="decimal" aria-label=${p} value=${String(e[u])} onChange=${h=>{let m=Number(h.currentTarget.value);m>=0&&m<=1&&t({[u]:m})}} />`,l=[[-1,"any"],...r.map(u=>[u,s(u)])];return c`<div class="choices row">
    ${a("Sort by",e.sort,ks,u=>t({sort:u}))}
    ${n?.labeled>0&&a("Class",e.label,l,u=>t({label:Number(u)}))}
    ${a("Predicted class",e.prediction,l,u=>t({prediction:Number(u)}))}
    ${n?.methods.length>1&&a("Scores of",e.method,n.methods.map(({label:u})=>[u,u]),u=>t({method:u}))}
    <div class="field confidence"><span class="label">Confidence from, to</span><span>${i("low","Lowest confidence")}${i("high","Highest confidence")}</span></div>
    <label class="field"><span class="label">File name</span><input type="text" role="searchbox" value=${e.q} onInput=${u=>t({q:u.currentTarget.value})} /></label>
    ${n?.labeled>0&&c`<${_e} label="Only wrong ones" checked=${e.wrong==="true"} onChange=${u=>t({wrong:u?"true":""})} />`}
    ${q({...Wt(e)})&&c`<button type="button" class="button" onClick=${()=>t({label:-1,prediction:-1,wrong:"",low:0,high:1,q:""})}>Show all</button>`}
  </div>`}function Ss({state:e,model:t,live:n,selected:o,total:s,run:r,onDone:a}){let i=(N(`methods?model=${encodeURIComponent(t.id)}`).data?.methods??[]).filter(d=>d.fits&&!d.wraps),[l,u]=w(t.default_method),p=500,h=()=>r(async()=>{let{wrong:d,...g}=Object.fromEntries(Object.entries(Wt(e)).filter(([,f])=>f!==null)),$=o.size?{images:[...o]}:{filter:{...g,...d?{wrong:d==="true"}:{}},limit:p};n.keep(await D("jobs",{kind:"dataset",model:t.id,method:{name:l,options:{}},...$})),a()}),m=o.size||Math.min(p,s);return c`<span class="row run">
    <select aria-label="Method to run" onChange=${d=>u(d.currentTarget.value)}>
      ${i.map(d=>c`<option value=${d.name} selected=${d.name===l}>${d.name}</option>`)}
    </select>
    <button type="button" class="button" data-name="run" disabled=${!m} onClick=${h}>Run on ${o.size?`${B(m)} selected`:s>p?`the first ${B(m)}`:`these ${B(m)}`}</button>
    ${o.size>0&&c`<button type="button" class="button" onClick=${a}>Select none</button>`}
  </span>`}var As=12;function Fo(e){return e.state.image?c`<${Ts} ...${e} />`:c`<header class="intro">
          <h1>Can the map be better?</h1>
          <p>Choose an image, and watch a map improve step by step.</p>
        </header>
        <${we} ...${e} />`}function Ts(e){let{state:t,set:n,go:o,model:s,live:r,explorer:a}=e,u=["aha",...(N(`methods?model=${encodeURIComponent(s.id)}`).data?.methods??[]).filter(M=>M.fits&&!M.wraps&&M.name!=="aha").map(M=>M.name)],p=u.includes(t.base)?t.base:s.default_method,h=p==="aha"?"aha":`refine:${p}`,m=N(`methods/${encodeURIComponent(h)}?model=${encodeURIComponent(s.id)}`),d={...p==="aha"?{refine_steps:As}:{},...Fe(t.options)[h]},g=Ce(t.image,s.id),$=Me(t.targets),f=$.length?$.slice(0,1):[g.data?.prediction].filter(M=>M!==void 0),[x,_]=j(),v=r.jobs.get(t.job),b=v&&["queued","running"].includes(v.state),y=()=>_(()=>De(e,{methods:[{name:h,options:d}],targets:f})),S=()=>{a.change({...a.defaults,screen:"film",step:r.steps.get(v?.id??"")?.at(-1)?.step??0}),o({page:"explain",result:v?.result??"",job:""})};return c`<${ke} ...${e} />
    <div class="question">
      <section class="stage" aria-label="Map">
        <${Es} context=${e} job=${v} />
      </section>
      <section class="card" aria-label="Refine">
        <h2>Refine</h2>
        <label class="field"><span class="label">Start from the map of</span>
          <select aria-label="Start from the map of" onChange=${M=>n({base:M.currentTarget.value})}>
            ${u.map(M=>c`<option value=${M} selected=${M===p}>${M}</option>`)}
          </select></label>
        <${ut} model=${s} prediction=${g.data} chosen=${f} limit=${1} onChange=${M=>n({targets:M.slice(-1).join(",")})} />
        ${m.error&&c`<p class="error" role="alert">${m.error}</p>`}
        ${m.data&&c`<details class="more"><summary>Options</summary>
          <${mt} options=${m.data.options} values=${d} onChange=${M=>n({options:JSON.stringify({...Fe(t.options),[h]:M})})} /></details>`}
        <p class="row">
          ${!b&&c`<button type="button" class="button primary" data-name="start" disabled=${!f.length} onClick=${y}>Refine</button>`}
          ${b&&c`<button type="button" class="button primary" data-name="stop" disabled=${!v.stoppable} onClick=${()=>_(()=>D(`jobs/${v.id}/stop`,{}))}>Stop, keep the best</button>
            <button type="button" class="button" data-name="cancel" onClick=${()=>_(()=>pt(`jobs/${v.id}`))}>Cancel</button>`}
          ${v?.state==="done"&&c`<button type="button" class="button" data-name="open" onClick=${S}>Open in the explorer</button>`}
        </p>
        <p class="muted" role="status">${v&&Z(v)}</p>
        ${x&&c`<p class="error" role="alert">${x}</p>`}
      </section>
    </div>`}function Es({context:{state:e,model:t,live:n},job:o}){let s=(o&&n.steps.get(o.id))??[],[r,a]=w(-1),i=s[r]??s[s.length-1],l=s.map(d=>d.objective??NaN),u=l.filter(Number.isFinite),p=u.length?Math.max(...u):NaN,[h,m]=t.image_size;return c`<div class="overlaid" style=${{aspectRatio:`${m} / ${h}`}}>
      <img src=${`api/v1/images/${e.image}/view?model=${encodeURIComponent(t.id)}`} alt="The image as the model sees it" />
      ${i&&c`<${R} name="step" width=${m} height=${h} deps=${[i]} label=${`Map after ${i.step} steps`} draw=${d=>X(d,Ps(i,h,m),.85)} />`}
    </div>
    ${s.length>0&&c`<p class="legend"><span>Step <b data-name="step-number">${i.step}</b> of ${i.steps}</span><span>objective <b>${i.objective===null?"not measured":U(i.objective)}</b></span><span>best <b>${U(p)}</b></span></p>
        <${ae} series=${[{name:"objective",color:"var(--series-0)",x:s.map(d=>d.step),y:l,strong:!0}]} position=${i.step} max=${i.steps}
          range=${Lt(u)} label="Objective by step. Drag to see earlier maps." axis="step: insertion minus deletion"
          ticks=${[0,Math.round(i.steps/2),i.steps]} formatX=${String} formatY=${d=>U(d,2)}
          onScrub=${d=>a(Ns(s,d))} />`}
    ${!s.length&&c`<p class="muted">The map appears here and improves with every step: removing its top pixels lowers the probability sooner, adding them raises it sooner.</p>`}`}function Ns(e,t){let n=e.map(s=>Math.abs(s.step-t)),o=n.indexOf(Math.min(...n));return o===e.length-1?-1:o}function Ps({map:{rows:e,cols:t,data:n}},o,s){let r=Float32Array.from(atob(n),a=>a.charCodeAt(0)/255);return fe(r,e,t,o,s)}function Oo({state:e,go:t,live:n,explorer:o}){let s=e.result,r=[...n.jobs.values()].find(d=>d.result===s),a=N(`results/${s}`,r?.entries),{bundle:i,error:l}=Is(s,r?.entries),u=ze(o);zs(s);let p=Math.max(0,Math.min(u.method,(i?.entries.length??1)-1)),h=a.data?.image??e.image,m=r&&["queued","running"].includes(r.state);return c`<div class="row result">
      <button type="button" class="button" onClick=${()=>t({result:"",job:"",image:h})}>‹ Change the question</button>
      <button type="button" class="button" onClick=${()=>t({page:"ask",image:h,result:s})}>Ask about this image</button>
      <button type="button" class="button" onClick=${()=>t({page:"refine",image:h,result:s,base:i?.entries[p]?.isBaseline?"":i?.entries[p]?.name??""})}>Refine a map</button>
      <span class="downloads">
        <a class="button" href=${`api/v1/results/${s}/html`} download>Download this page</a>
        <a class="button" href=${`api/v1/results/${s}/maps?entry=${p}`} download>Download the maps</a>
      </span>
    </div>
    ${m&&c`<p class="muted" role="status">More methods follow: ${Z(r)}</p>`}
    ${r?.state==="done"&&r.error&&c`<p class="banner" role="alert">${r.error}</p>`}
    ${l&&c`<p class="banner" role="alert">${l} <button type="button" class="button" onClick=${()=>t({result:"",image:h})}>Explain again</button></p>`}
    ${i&&c`<div class="embedded"><${uo} bundles=${[i]} store=${o} brand=${null} /></div>`}
    ${!i&&!l&&c`<p class="intro muted">Reading the result…</p>`}`}function Is(e,t){let[n,o]=w({bundle:null,error:""});return T(()=>{let s=!0;return mo(`results/${e}/bundle`).then(Gn).then(r=>s&&o({bundle:r,error:""})).catch(r=>s&&o(a=>a.bundle?a:{bundle:null,error:r.message})),()=>{s=!1}},[e,t]),n}function zs(e){T(()=>(oe.measure=({method:t,class:n,direction:o,reference:s,count:r})=>D("measure",{result:e,entry:t,target:n,direction:o,reference:s,count:r}).catch(()=>null),()=>{oe.measure=null}),[e])}var Rs=[{name:"explain",title:"Image",screen:Io},{name:"ask",title:"Ask",screen:vo},{name:"refine",title:"Refine",screen:Fo},{name:"data",title:"Data set",screen:zo}];function Do({store:e,explorer:t,live:n}){let o=ze(e);yn(n);let s=N("",n.worker.state),r=N("models",n.worker.state),[a,i]=j(),l=$=>i(async()=>{let f=await Promise.all([...$].map(ho));f.length&&e.go({...ft,image:f[0].id,page:o.page==="data"?"explain":o.page})}),u=Ds(l),p=r.data?.models??[],h=p.find($=>$.id===o.model)??p[0],m=Rs.filter(({name:$})=>$!=="data"||s.data?.dataset||s.data?.reports),d=m.find(({name:$})=>$===o.page)??m[0],g={state:o,set:e.set,go:e.go,model:h,live:n,about:s.data,add:l,problem:a,explorer:t};return c`<nav class="top" aria-label="Page">
      <span class="brand">seewhy</span>
      <${jt} screens=${m} current=${d.name} onChange=${$=>e.go({page:$,result:$==="explain"?"":o.result})} />
      ${h&&c`<${Fs} models=${p} model=${h} go=${e.go} />`}
    </nav>
    <${Os} live=${n} error=${s.error||r.error} />
    ${h&&s.data?o.page==="explain"&&o.result?c`<${Oo} key=${o.result} ...${g} />`:c`<div class="screen" role="region" aria-label=${d.title} data-page=${d.name}>
              <${d.screen} ...${g} />
            </div>`:!(s.error||r.error)&&c`<p class="intro muted">Loading the models…</p>`}
    <${go} ...${g} />
    ${u&&c`<div class="dropping" aria-hidden="true">Drop the image to explain it</div>`}`}var ft={result:"",job:"",targets:"",patches:"",flip:""};function Fs({models:e,model:t,go:n}){return e.length===1?c`<span class="file" title="Model">${t.name}</span>`:c`<label class="file"
    >Model${" "}
    <select aria-label="Model" onChange=${o=>n({...ft,methods:"",options:"{}",label:-1,prediction:-1,method:"",model:o.currentTarget.value})}>
      ${e.map(({id:o,name:s})=>c`<option value=${o} selected=${o===t.id}>${s}</option>`)}
    </select>
  </label>`}function Os({live:e,error:t}){let{state:n,message:o}=e.worker,s=e.connected?n==="restarting"?`The model is being restarted: ${o}. Jobs in the queue continue afterwards.`:t:"The connection to the server is lost. Is `seewhy ui` still running? The page tries again.";return s?c`<p class="banner" role="alert">${s}</p>`:null}function Ds(e){let[t,n]=w(!1);return T(()=>{let o=i=>{i.dataTransfer?.types.includes("Files")&&(i.preventDefault(),n(!0))},s=i=>i.relatedTarget===null&&n(!1),r=i=>{i.preventDefault(),n(!1),i.dataTransfer?.files.length&&e(i.dataTransfer.files)},a=i=>{i.clipboardData?.files.length&&e(i.clipboardData.files)};return addEventListener("dragover",o),addEventListener("dragleave",s),addEventListener("drop",r),addEventListener("paste",a),()=>{removeEventListener("dragover",o),removeEventListener("dragleave",s),removeEventListener("drop",r),removeEventListener("paste",a)}},[e]),t}var Uo=`#page{max-width:1320px;margin:0 auto;padding:0 24px 48px}img{display:block;max-width:100%}.banner{margin:14px 0 0;padding:10px 14px;border:1px solid var(--bad);border-radius:8px;color:var(--bad)}.dropping{position:fixed;inset:12px;z-index:9;display:grid;place-items:center;border:3px dashed var(--accent);border-radius:16px;background:color-mix(in srgb,var(--page) 85%,transparent);font-size:22px;pointer-events:none}.top select{min-height:32px;padding:2px 8px}.picker{display:grid;gap:18px;max-width:860px}.drop{display:grid;gap:6px;justify-items:center;padding:56px 20px;border:2px dashed var(--line);border-radius:14px;background:var(--card);font-size:17px}.drop span{font-size:14px}.drop:hover{border-color:var(--accent)}.strip img{width:100%;aspect-ratio:1;object-fit:cover;border-radius:5px;background:var(--soft)}.imagebar{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;padding:14px 0}.imagebar img{width:40px;height:40px;object-fit:cover;border-radius:6px}.imagebar b{overflow-wrap:anywhere}.imagebar .button{margin-left:auto}.question{display:grid;grid-template-columns:minmax(0,clamp(300px,56vh,560px)) minmax(0,1fr);gap:28px;align-items:start;margin-bottom:20px}.question .stage{display:grid;gap:12px}.question h1{font-size:21px}.question .row{align-items:center}.question .card{display:grid;gap:16px}.question .card h2{margin:0}.seen{width:100%;border-radius:8px;background:var(--frame)}.search{position:relative;max-width:340px}.search input{width:100%}.found{position:absolute;z-index:2;left:0;right:0;margin:4px 0 0;padding:4px;list-style:none;background:var(--card);border:1px solid var(--line);border-radius:8px;box-shadow:0 6px 20px #0003;max-height:300px;overflow-y:auto}.found li{padding:0 8px}.found button{width:calc(100% + 16px);margin:0 -8px;border:0;background:none;padding:6px 8px;text-align:left;border-radius:6px}.found button:hover{background:var(--soft)}.chosen,.methods-list,.plain,.queue ul{list-style:none;margin:0;padding:0}.chosen li{display:flex;gap:8px;align-items:flex-start;border:1px solid var(--line);border-radius:8px;padding:4px 6px 4px 12px;margin-bottom:6px}.chosen details{flex:1;min-width:0;margin:5px 0}.chosen summary{width:100%;color:var(--ink);overflow-wrap:anywhere}.button.small{min-height:32px;min-width:32px;padding:0 8px;border-color:transparent;background:none}.button:disabled{opacity:.45;cursor:default}a.button{color:inherit;text-decoration:none;display:inline-flex;align-items:center}.more{margin:0}.more>input{margin:8px 0;width:100%;max-width:340px}.methods-list{max-height:300px;overflow-y:auto;border:1px solid var(--line);border-radius:8px;padding:4px 12px}.methods-list .check{align-items:flex-start;padding:6px 0;min-height:0;font-size:14px}.methods-list input{margin-top:3px}.form{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:12px 18px;margin:12px 0 6px;align-items:start}.option input[type=text],.option select{width:100%;min-width:0}.option input[type=checkbox]{width:18px;height:18px;accent-color:var(--accent);margin:6px 0}.option .label{color:var(--ink);font-family:ui-monospace,monospace}.hint{font-size:12px;line-height:1.35}.result{padding:14px 0 0;align-items:center;gap:8px}.downloads{margin-left:auto;display:flex;gap:8px;flex-wrap:wrap}.embedded .top{min-height:48px}.brush,.overlaid{position:relative;width:100%;border-radius:8px;overflow:hidden;background:var(--frame)}.brush{touch-action:none;cursor:crosshair;user-select:none}.brush img,.overlaid img,.brush svg,.overlaid canvas{position:absolute;inset:0;width:100%;height:100%}.brush line{stroke:#fff;stroke-width:.6px;opacity:.28;vector-effect:non-scaling-stroke}.chosen-patch{fill:none;stroke:#ffb454;stroke-width:2px;vector-effect:non-scaling-stroke}.cursor-patch{fill:none;stroke:#fff;stroke-width:3px;vector-effect:non-scaling-stroke}.flips{border-top:1px solid var(--line);padding-top:16px;display:grid;gap:10px}.flips .row{align-items:center;gap:8px}.history ol{margin:0;padding:0;list-style:none;max-height:260px;overflow-y:auto}.history li{display:flex;flex-wrap:wrap;gap:2px 14px;justify-content:space-between;padding:6px 0;border-bottom:1px solid var(--line)}.link[aria-pressed=true]{font-weight:700}a{color:var(--accent)}.dataset+.card{margin-top:20px}.queue{margin-top:20px}.queue ul{max-height:320px;overflow-y:auto}.queue li{display:flex;gap:12px;justify-content:space-between;align-items:center;padding:8px 0;border-top:1px solid var(--line)}.job{display:grid;gap:2px;min-width:0;flex:1;font-size:14px}.job b,.job .error{overflow-wrap:anywhere}.queue .row{gap:8px;flex-wrap:nowrap}progress{width:100%;max-width:420px;height:6px;accent-color:var(--accent)}.dataset{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,auto);gap:20px;align-items:start}.confusion{max-width:540px}.confusion .muted{font-size:13px;margin-top:10px}.found-count{align-items:center;padding-bottom:10px;justify-content:space-between}.run{gap:8px;align-items:center}.confidence span{display:flex;gap:6px}.confidence input{width:64px;min-width:0}.gallery{height:min(72vh,820px);overflow-y:auto;position:relative;border:1px solid var(--line);border-radius:12px;background:var(--card);padding:0;contain:strict}.gallery>div{position:relative}.gallery>p{padding:20px}.cell{position:absolute;top:0;height:178px;padding:6px;font-size:12px;contain:layout paint;border-radius:10px}.cell .open{display:block;width:100%;border:0;padding:0;background:none}.cell img,.cell .blank{display:block;width:100%;height:124px;object-fit:cover;border-radius:6px;background:var(--soft)}.cell input{position:absolute;top:12px;left:12px;width:18px;height:18px;margin:0;opacity:0;accent-color:var(--accent)}.cell:hover input,.cell[aria-selected=true] input,.cell input:focus-visible{opacity:1}.cell[aria-selected=true]{background:var(--soft)}.gallery:focus-visible .focused{outline:2px solid var(--focus);outline-offset:-3px}.says{display:flex;gap:4px;justify-content:space-between;white-space:nowrap}.says b,.was{overflow:hidden;text-overflow:ellipsis;font-weight:500}.says i{font-style:normal}.wrong .says b{color:var(--bad)}.matrix{width:auto;font-size:12px}.matrix th,.matrix td{padding:1px;border:0;text-align:center}.matrix th[scope=row]{text-align:right;padding-right:8px;font-weight:400;max-width:120px;overflow:hidden;text-overflow:ellipsis}.matrix thead span{writing-mode:vertical-rl;transform:rotate(180deg);max-height:96px;overflow:hidden;text-overflow:ellipsis;font-weight:400}.matrix button{width:28px;height:26px;padding:0;border:0;border-radius:4px;font-size:11px;background:color-mix(in srgb,var(--tint) var(--strength),transparent)}.matrix button[aria-pressed=true]{outline:2px solid var(--ink)}.right{--tint: color-mix(in srgb, var(--class-shared) 45%, var(--card))}.mistaken{--tint: color-mix(in srgb, var(--bad) 60%, var(--card))}@media(max-width:900px){#page{padding:0 14px 40px}.question,.dataset{grid-template-columns:minmax(0,1fr);gap:16px}.confusion{max-width:none;order:1}.queue li{flex-direction:column;align-items:stretch}.queue .row{flex-wrap:wrap}.downloads{margin-left:0}.cell input{opacity:1}}@media(max-width:520px){.drop{padding:36px 16px}.imagebar .button{margin-left:0}.gallery{height:70vh}}
`;document.adoptedStyleSheets=[cn,Uo].map(e=>{let t=new CSSStyleSheet;return t.replaceSync(e),t});var Lo=document.getElementById("page"),jo=bo(),Bo=ln(),qo=new Xe;Lo.textContent="";on(c`<${Do} store=${jo} explorer=${Bo} live=${qo} />`,Lo);Object.assign(globalThis,{seewhyPage:{store:jo,explorer:Bo,live:qo,host:oe}});
