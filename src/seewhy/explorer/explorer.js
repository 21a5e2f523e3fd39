// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0).
var w,vt,Ln,L,qe,be,yt,_e,wt,Ke,Xe,Bn,se=Symbol.for("pv"),ve={},ye=[],Wn=/^m(i|n|o|s|text|space)$/,Ve=Array.isArray,Ge=ye.slice,J=Object.assign;function Y(e){e&&e.parentNode&&e.remove()}function kt(e,t,n){var o,i,r,a={},s=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?i=t[r]:a[r]=t[r];return s>2&&(a.children=s>3?Ge.call(arguments,2):n),ae(e,a,o,i,null)}function ae(e,t,n,o,i){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:se,__v:i||++vt,__i:-1,__u:0};return!i&&w.vnode&&w.vnode(r),r}function we(e){return e.children}function $e(e,t){this.props=e,this.context=t,this.__g=0}function B(e,t){if(t==null)return e.__&&B(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:B(e)}function Hn(e){var t,n=e.__v,o=n.__e,i=[],r=[],a=e.__P;a&&((t=J({constructor:se},n)).__v=n.__v+1,w.vnode&&w.vnode(t),Ye(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,i,o||B(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,Pt(i,t,r),n.__=n.__e=null,t.__e!=o&&Mt(t))}function Mt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Mt(e)}function xt(e){(8&e.__g||(e.__g|=8,L.push(e),be++))&&qe==w.debounceRendering||((qe=w.debounceRendering)||queueMicrotask)(Ct)}function Ct(){try{for(var e,t=1;L.length;)L.length>t&&L.sort(yt),e=L.shift(),t=L.length,8&e.__g&&Hn(e)}finally{(be=L.length)&&(qe||queueMicrotask)(Ct)}}function St(e,t,n,o,i,r,a,s,c,d,p){var f,g,l,h,m,$,x=o.__k||ye,b=t.length;for(c=qn(n,t,x,c,b),f=0;f<b;f++)(l=n.__k[f])!=null&&(g=~l.__i&&x[l.__i]||ve,l.__i=f,$=Ye(e,l,g,i,r,a,s,c,d,p),h=l.__e,(g.ref!=l.ref||8&g.__u)&&(g.ref&&Je(g.ref,null,l,g),l.ref&&p.push(l.ref,l.__c||h,l)),m=m||h,4&l.__u?(c=At(l,c,e,!g.__v),g.__e&&(g.__e=null)):typeof l.type=="function"&&$!==void 0?c=$:h&&(c=h.nextSibling),l.__u&=-21);return n.__e=m,c}function qn(e,t,n,o,i){var r,a,s,c,d,p,f,g,l,h=n.length,m=h,$=0,x=0,b=e.__k=Array(i);for(r=0;r<i;r++)(a=t[r])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=b[r]=ae(null,a):Ve(a)?a=b[r]=ae(we,{children:a}):a.constructor===se&&a.__b?a=b[r]=ae(a.type,a.props,a.key,a.ref,a.__v):b[r]=a,c=r+$,a.__=e,a.__b=e.__b+1,s=null,~(d=a.__i=Xn(a,n,c,m))&&(m--,(s=n[d])&&(s.__u|=2)),s&&s.__v?(a.__u|=16,d==c-1?$--:d==c+1?$++:d!=c&&(d>c?$--:$++,x=1)):(~d||(i>h?$--:i<h&&$++),typeof a.type!="function"&&(a.__u|=4))):b[r]=null;if(x){for(p=[],f=[],r=0;r<i;r++)if((a=b[r])&&16&a.__u){for($=0,g=p.length;$<g;)p[l=$+g>>1]<a.__i?$=l+1:g=l;p[$]=a.__i,f[r]=$+1}for($=p.length;r--;)f[r]&&(f[r]==$?$--:b[r].__u|=4)}if(m)for(r=0;r<h;r++)!(s=n[r])||2&s.__u||(s.__e==o&&(o=B(s)),Ze(s,s));return o}function At(e,t,n,o){var i,r,a,s;if(typeof e.type=="function"){if(e.props.__P)return t;if(i=e.__k)for(r=0;r<i.length;r++)i[r]&&(i[r].__=e,t=At(i[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=B(e))&&!t.parentNode&&(t=null),a=e.__e,s=t;s&&s.nodeType==8;)s=s.nextSibling;for(a!=s&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Xn(e,t,n,o){var i,r=e.key,a=e.type,s=t[n],c=s&&!(2&s.__u);if(s===null&&r==null||c&&r==s.key&&a==s.type)return n;if(o>(c?1:0)){for(i=n-1;i>=0;i--)if((s=t[i])&&!(2&s.__u)&&r==s.key&&a==s.type)return i;for(i=n+1;i<t.length;i++)if((s=t[i])&&!(2&s.__u)&&r==s.key&&a==s.type)return i}return-1}function bt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function ge(e,t,n,o,i){var r,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||bt(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||bt(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=Xe[t]||(Xe[t]=Kn(t)),(e.__a||(e.__a={}))[t]=Ke,r=t!=(t=t.replace(wt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,r):e.removeEventListener(t,a,r));else{if(i=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Kn(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[_e]==null)t[_e]=Ke++;else if(t[_e]<this.__a[e])return;return n(w.event?w.event(t):t)}}}function Ye(e,t,n,o,i,r,a,s,c,d){var p,f,g,l,h,m,$,x,b,y,_,N,V,ee,D,fe,j,G,R=t.type;if(t.constructor!==se)return null;128&n.__u&&(c=32&n.__u,p=n.__c.__z)&&(t.__u|=c,f=r=[],p.nodeType==8?s=xe(p,r):r.push(p),s=r[0]||s),(p=w.__b)&&p(t);e:if(typeof R=="function"){g=a.length;try{if(x=t.props,b=(p=R.prototype)&&p.render,y=(p=R.contextType)&&o[p.__c],_=p?y?y.props.value:p.__:o,(l=n.__c)?(t.__c=l,2&l.__g&&(l.__g|=1)):(b?t.__c=l=new R(x,_):(t.__c=l=new $e(x,_),l.constructor=R,l.render=Gn),y&&y.sub(l),l.state||(l.state={}),l.__n=o,l.__g|=8,l.__h=[],l.__k=[]),b&&(l.__s||(l.__s=l.state),R.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=J({},l.__s)),J(l.__s,R.getDerivedStateFromProps(x,l.__s)))),h=l.props,m=l.state,l.__v=t,n.__c){if(x!==h&&b&&!R.getDerivedStateFromProps&&l.componentWillReceiveProps&&l.componentWillReceiveProps(x,_),t.__v==n.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&l.shouldComponentUpdate(x,l.__s,_)===!1){t.__v!=n.__v&&(l.props=x,l.state=l.__s,l.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(z){z&&(z.__=t)}),ye.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&a.push(l),s=B(n);break e}l.componentWillUpdate&&l.componentWillUpdate(x,l.__s,_),b&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(h,m,$)})}else b&&!R.getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),b&&l.componentDidMount&&l.__h.push(l.componentDidMount);l.context=_,l.props=x,l.__P=e,l.__g&=-5,N=w.__r,V=b?25:0;do l.__g&=-9,N&&N(t),p=l.render(l.props,l.state=l.__s,l.context);while(8&l.__g&&++V<25);b&&(ye.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(o=J({},o,l.getChildContext())),b&&n.__c&&l.getSnapshotBeforeUpdate&&($=l.getSnapshotBeforeUpdate(h,m)),ee=p&&p.type===we&&p.key==null?p.props.children:p,x.__P&&(p=s,i=(e=x.__P).namespaceURI,c=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(z){z&&Ze(z,z)}),n.__k=null),s=n.__k?B(n,0):null),s=St(e,Ve(ee)?ee:[ee],t,n,o,i,r,a,s,c,d),x.__P&&(t.__e=null,s=p),t.__u&=-161,f&&f.some(Y),l.__h.length&&a.push(l),1&l.__g&&(l.__g&=-4)}catch(z){if(a.length=g,t.__v=null,c||r)if(z&&z.then){if(t.__u|=128|c,r){for(~(j=r.indexOf(s||void 0))||(j=r.length);(G=r[j-1])&&G.nodeType==8;)j--;for(;j<r.length;j++)if(G=r[j])if(r[j]=null,D){if(G==fe)break}else{if(G.nodeType!=8)break;G.data.startsWith("$s")&&(fe=xe(D=G))}}if(!D){for(;s&&s.nodeType==8&&s.nextSibling;)s=s.nextSibling;D=s}(p=xe(D=t.__c.__z||(t.__c.__z=D)))?(t.__e=D,s=p):t.__e=s,s=s&&s.nextSibling}else r&&r.some(Y);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),z&&z.then||Tt(t),w.__e(z,t,n)}}else s=t.__e=Vn(n.__e,t,n,o,i,r,a,c,d,e);return(p=w.diffed)&&p(t),s}function xe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Tt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Tt))}function Pt(e,t,n){for(var o=0;o<n.length;)Je(n[o++],n[o++],n[o++]);w.__c&&w.__c(t,e),e.some(function(i){try{e=i.__h,i.__h=[],e.some(function(r){r.call(i)})}catch(r){w.__e(r,i.__v)}})}function Vn(e,t,n,o,i,r,a,s,c,d){var p,f,g,l,h,m,$,x,b=n.props||ve,y=t.props,_=t.type;if(_=="svg"?i="http://www.w3.org/2000/svg":_=="math"?i="http://www.w3.org/1998/Math/MathML":i||(i="http://www.w3.org/1999/xhtml"),r){for(p=0;p<r.length;p++)if((h=r[p])&&(_?h.localName==_:h.nodeType==3)){e=h,r[p]=null;break}}if(!e){if(x=d.ownerDocument||document,!_)return x.createTextNode(y);e=x.createElementNS(i,_,y.is?y:d),s&&(w.__m&&w.__m(t,r),s=!1),r=null}if(_){if(d=_=="template"&&e.content||e,r=_=="textarea"&&y.defaultValue!=null?null:r&&Ge.call(d.childNodes),!s&&r)for(b={},p=0;p<e.attributes.length;p++)b[(h=e.attributes[p]).name]=h.value;for(p in b)h=b[p],p=="dangerouslySetInnerHTML"?g=h:p=="children"||p in y||p=="value"&&"defaultValue"in y||p=="checked"&&"defaultChecked"in y||ge(e,p,null,h,i);for(p in y)h=y[p],p=="children"?l=h:p=="dangerouslySetInnerHTML"?f=h:p=="value"?m=h:p=="checked"?$=h:s&&typeof h!="function"||b[p]===h||ge(e,p,h,b[p],i);f?(s||g&&(f.__html==g.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(g&&(e.textContent=""),(_=="foreignObject"||i=="http://www.w3.org/1998/Math/MathML"&&Wn.test(_))&&(i="http://www.w3.org/1999/xhtml"),St(d,Ve(l)?l:[l],t,n,o,i,r,a,r?r[0]:n.__k&&B(n,0),s,c),r&&r.some(Y)),s&&_!="textarea"||(p="value",_=="progress"&&m==null?e.removeAttribute(p):m==null||m===e[p]&&(_!="progress"||m)||ge(e,p,m,b[p],i),p="checked",$!=null&&$!=e[p]&&ge(e,p,$,b[p],i))}else b===y||s&&e.data==y||(e.data=y);return e}function Je(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(i){w.__e(i,n)}}function Ze(e,t,n){var o,i,r,a;if(w.unmount&&w.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Je(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(s){w.__e(s,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&Ze(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(i=xe(o,r=[]))&&(o==e.__e&&r.some(Y),Y(i),Y(o)),n||Y(e.__e),e.__e=e.__c=e.__=null}function Gn(e,t,n){return this.constructor(e,n)}function Nt(e,t){var n,o,i,r;w.__&&w.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=ae(we,{children:[e]}),i=[],r=[],Ye(t,t.__k,o||ve,ve,t.namespaceURI,o?null:t.firstChild?Ge.call(t.childNodes):null,i,o?o.__e:t.firstChild,n,r),Pt(i,t.__k,r),t.__k.props.children=null}w={__e:function(e,t,n,o){for(var i,r,a;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((a=(r=i.constructor)&&r.getDerivedStateFromError)&&i.setState(r.getDerivedStateFromError(e)),i.componentDidCatch&&(i.componentDidCatch(e,o||{}),a=1),a&&8&i.__g)return void(i.__g|=2)}catch(s){e=s}}throw be=0,e}},vt=0,Ln=function(e){return e!=null&&e.constructor===se},$e.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=J({},this.state)),typeof e=="function"&&(e=e(J({},n),this.props)),e&&(J(n,e),this.__v&&(t&&this.__k.push(t),xt(this)))},$e.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),xt(this))},$e.prototype.render=we,L=[],be=0,yt=function(e,t){return e.__v.__b-t.__v.__b},_e=Symbol(),wt=/(PointerCapture)$|Capture$/i,Ke=0,Xe={},Bn=0;var te,M,Qe,zt,et=Object.is,ke=0,Lt=[],tt=[],k=w,Et=k.__b,Ft=k.__r,It=k.diffed,Ot=k.__c,Dt=k.unmount,Rt=k.__;function Me(e,t){k.__h&&k.__h(M,e,ke||t),ke=0;var n=M.__H||(M.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function W(e){return ke=1,Yn(Bt,e)}function Yn(e,t,n){var o=Me(te++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Bt(void 0,t),function(r){var a=(o.__N||o.__)[0],s=o.t(a,r);et(a,s)||(o.__N=[s,o.__[1]],o.__c.setState({}))}],o.__c=M,!M.__f)){M.__f=!0;var i=M.shouldComponentUpdate;M.shouldComponentUpdate=function(r,a,s){var c=this.__H;if(!c)return!0;var d=!1,p=this.props!=r;if(c.__.some(function(g){g.__N&&(d=!0,et(g.__[0],g.__N[0])||(p=!0))}),i){var f=i.call(this,r,a,s);return d?f||p:f}return!d||p}}return o.__}function ne(e,t){var n=Me(te++,3);!k.__s&&ot(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,M.__H.__h.push(n))}function Ce(e,t){var n=Me(te++,4);!k.__s&&ot(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,M.__h.push(n))}function E(e){return ke=5,v(function(){return{current:e}},[])}function v(e,t){var n=Me(te++,7);return ot(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Jn(){var e;do{for(;e=tt.shift();)try{ce(e)}catch(n){k.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Lt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ce),t.__h.some(nt),t.__h=[]}catch(n){t.__h=[],k.__e(n,e.__v)}}}while(tt.length)}k.__b=function(e){M=null,Et&&Et(e)},k.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Rt&&Rt(e,t)},k.__r=function(e){Ft&&Ft(e),te=0;var t=(M=e.__c).__H;t&&(Qe==M?M.__h=[]:(t.__h.some(ce),t.__h.some(nt),te=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Qe=M},k.diffed=function(e){It&&It(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&jt(Lt.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Qe=M=null},k.__c=function(e,t){t.some(function(n){try{n.__h.some(ce),n.__h=n.__h.filter(function(o){return!o.__||nt(o)})}catch(o){n.__h=[function(){throw o}]}}),Ot&&Ot(e,t)},k.unmount=function(e){Dt&&Dt(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(i){try{if(i.__P&&i.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}i.__P=n,jt(tt.push(i))}else ce(i)}catch(r){t=r}}),o.__H=void 0,t&&k.__e(t,o.__v))};var Ut=typeof requestAnimationFrame=="function";function Zn(e){var t,n=function(){clearTimeout(o),Ut&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Ut&&(t=requestAnimationFrame(n))}function jt(e){e!=1&&zt==k.requestAnimationFrame||((zt=k.requestAnimationFrame)||Zn)(Jn)}function ce(e){var t=M,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),M=t}function nt(e){var t=M;e.__c=e.__(),M=t}function ot(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!et(n,e[o])})}function Bt(e,t){return typeof t=="function"?t(e):t}var Ht=function(e,t,n,o){var i;t[0]=0;for(var r=1;r<t.length;r++){var a=t[r++],s=t[r]?(t[0]|=a?1:2,n[t[r++]]):t[++r];a===3?o[0]=s:a===4?o[1]=Object.assign(o[1]||{},s):a===5?(o[1]=o[1]||{})[t[++r]]=s:a===6?o[1][t[++r]]+=s+"":a?(i=e.apply(s,Ht(e,s,n,["",null])),o.push(i),s[0]?t[0]|=2:(t[r-2]=0,t[r]=i)):o.push(s)}return o},Wt=new Map;function qt(e){var t=Wt.get(this);return t||(t=new Map,Wt.set(this,t)),(t=Ht(this,t.get(e)||(t.set(e,t=(function(n){for(var o,i,r=1,a="",s="",c=[0],d=function(g){r===1&&(g||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,g,a):r===3&&(g||a)?(c.push(3,g,a),r=2):r===2&&a==="..."&&g?c.push(4,g,0):r===2&&a&&!g?c.push(5,0,!0,a):r>=5&&((a||!g&&r===5)&&(c.push(r,0,a,i),r=6),g&&(c.push(r,g,0,i),r=6)),a=""},p=0;p<n.length;p++){p&&(r===1&&d(),d(p));for(var f=0;f<n[p].length;f++)o=n[p][f],r===1?o==="<"?(d(),c=[c],r=3):a+=o:r===4?a==="--"&&o===">"?(r=1,a=""):a=o+a[0]:s?o===s?s="":a+=o:o==='"'||o==="'"?s=o:o===">"?(d(),r=1):r&&(o==="="?(r=5,i=a,a=""):o==="/"&&(r<5||n[p][f+1]===">")?(d(),r===3&&(c=c[0]),r=c,(c=c[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),r=2):a+=o),r===3&&a==="!--"&&(r=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}var u=qt.bind(kt),Xt=e=>e.split("`").map((t,n)=>n%2?u`<code>${t}</code>`:t);function P({width:e,height:t,draw:n,deps:o,label:i,name:r,opacity:a}){let s=E(null),c=E(null);return Ce(()=>{let p=s.current.getContext("2d",{willReadFrequently:!0});(c.current?.width!==e||c.current.height!==t)&&(c.current=new ImageData(e,t)),n(new Uint32Array(c.current.data.buffer)),p.putImageData(c.current,0,0)},[e,t,...o]),u`<canvas
    ref=${s}
    width=${e}
    height=${t}
    data-name=${r}
    style=${{opacity:a}}
    ...${i?{role:"img","aria-label":i}:{"aria-hidden":!0}}
  />`}function T({title:e,note:t,width:n,height:o,view:i,onView:r,children:a,action:s}){let{zoom:c,x:d,y:p}=i,f=Qn(i,r);return u`<figure class="panel">
    <figcaption>
      <span class="title">${e}</span>${t!==void 0&&u`<span class="note">${t}</span>`}${s}
    </figcaption>
    <div
      class=${`frame ${c>1?"zoomed":""}`}
      tabindex="0"
      role="group"
      aria-label="Image. Plus and minus zoom, arrows pan, zero resets"
      style=${{aspectRatio:`${n} / ${o}`}}
      ...${f}
    >
      <div
        class=${`layers ${c>2?"sharp":""}`}
        style=${{transform:`translate(${100*d}%, ${100*p}%) scale(${c})`}}
      >
        ${a}
      </div>
    </div>
  </figure>`}function H(e,t,n=.5,o=.5){let i=Math.min(16,Math.max(1,t)),r=i/e.zoom;return le({zoom:i,x:n-(n-e.x)*r,y:o-(o-e.y)*r})}function le({zoom:e,x:t,y:n}){let o=i=>Number(Math.min(0,Math.max(1-e,i)).toFixed(4))||0;return{zoom:Number(e.toFixed(3)),x:o(t),y:o(n)}}function Qn(e,t){let n=E(new Map),o=E(e);o.current=e;let i=r=>{let a=r.currentTarget.getBoundingClientRect();return{x:(r.clientX-a.left)/a.width,y:(r.clientY-a.top)/a.height}};return{onPointerDown(r){n.current.set(r.pointerId,i(r)),o.current.zoom>1&&r.currentTarget.setPointerCapture(r.pointerId)},onPointerMove(r){r.buttons||n.current.delete(r.pointerId);let a=n.current.get(r.pointerId);if(!a)return;let s=i(r),c=[...n.current].find(([d])=>d!==r.pointerId)?.[1];if(n.current.set(r.pointerId,s),c){let d=f=>Math.hypot(f.x-c.x,f.y-c.y)||.001,p={x:(s.x+c.x)/2,y:(s.y+c.y)/2};t(H(o.current,o.current.zoom*d(s)/d(a),p.x,p.y))}else o.current.zoom>1&&t(le({zoom:o.current.zoom,x:o.current.x+s.x-a.x,y:o.current.y+s.y-a.y}))},onPointerUp:r=>n.current.delete(r.pointerId),onPointerCancel:r=>n.current.delete(r.pointerId),onDblClick(r){let{x:a,y:s}=i(r);t(o.current.zoom>1?{zoom:1,x:0,y:0}:H(o.current,3,a,s))},onWheel(r){if(!r.ctrlKey&&!r.metaKey)return;r.preventDefault();let{x:a,y:s}=i(r);t(H(o.current,o.current.zoom*Math.exp(-r.deltaY/200),a,s))},onKeyDown(r){let{zoom:a,x:s,y:c}=o.current,d={ArrowLeft:[.1,0],ArrowRight:[-.1,0],ArrowUp:[0,.1],ArrowDown:[0,-.1]}[r.key];if(r.key==="+"||r.key==="=")t(H(o.current,a*1.5));else if(r.key==="-")t(H(o.current,a/1.5));else if(r.key==="0")t({zoom:1,x:0,y:0});else if(d&&a>1)t(le({zoom:a,x:s+d[0],y:c+d[1]}));else return;r.preventDefault()}}}var eo=new Intl.NumberFormat("en-US"),oe=e=>eo.format(e),C=(e,t=0)=>`${(100*e).toFixed(t)} %`,S=e=>C(e,e>.0995&&e<.995?0:1),pe=e=>e>0&&e<.1?"less than 0.1":oe(e<9.95?Math.round(10*e)/10:Math.round(e)),Kt=e=>{let t=Math.max(0,...e.filter(Number.isFinite));return[.004,.02,.04,.1,.2,.4].find(n=>t<=n)??1},Se=e=>({ins_del:"insertion − deletion"})[e]??e.replaceAll("_"," "),Z=(e,t=3)=>{let n=Math.abs(e).toFixed(t);return e<0&&Number(n)?`−${n}`:n},Ae=e=>e.replace("imagenet","ImageNet").replaceAll("_"," ");function I({label:e,value:t,options:n,onChange:o}){return u`<div class="field">
    <span class="label">${e}</span>
    <div class="segmented" role="group" aria-label=${e}>
      ${n.map(([i,r])=>u`<button type="button" key=${i} aria-pressed=${i===t} onClick=${()=>o(i)}>
            ${r}
          </button>`)}
    </div>
  </div>`}function U({label:e,value:t,min:n,max:o,step:i,text:r,name:a,onInput:s,ends:c}){let d=`${100*(t-n)/(o-n||1)}%`;return u`<label class="field slider">
    <span class="label">${e} <output>${r}</output></span>
    <input
      type="range"
      data-name=${a}
      min=${n}
      max=${o}
      step=${i}
      value=${t}
      aria-valuetext=${r}
      style=${{"--filled":d}}
      onInput=${p=>s(Number(p.currentTarget.value))}
    />
    ${c&&u`<span class="ends"><span>${c[0]}</span><span>${c[1]}</span></span>`}
  </label>`}function Te({label:e,checked:t,onChange:n}){return u`<label class="check">
    <input
      type="checkbox"
      checked=${t}
      onChange=${o=>n(o.currentTarget.checked)}
    />
    ${e}
  </label>`}function Pe({label:e,value:t,options:n,onChange:o}){return u`<label class="field">
    <span class="label">${e}</span>
    <select value=${t} onChange=${i=>o(Number(i.currentTarget.value))}>
      ${n.map(([i,r])=>u`<option key=${i} value=${i} selected=${i===t}>${r}</option>`)}
    </select>
  </label>`}function rt({text:e,label:t}){let[n,o]=W(!1);return u`<button type="button" class="button" onClick=${async()=>{await to(e)&&(o(!0),setTimeout(()=>o(!1),1500))}} aria-live="polite">
    ${n?"Copied":t}
  </button>`}async function to(e){try{return await navigator.clipboard.writeText(e),!0}catch{let t=Object.assign(document.createElement("textarea"),{value:e});document.body.append(t),t.select();let n=document.execCommand("copy");return t.remove(),n}}var no=[228,60,42],oo=[44,112,200],Ne=[[228,116,0],[0,114,178]],ro=[17,140,90],io=[.05,.15,.3],Vt=so();function Q(e){let t=Float64Array.from(e,r=>Number.isFinite(r)?r:0),n=t.slice().sort(),[o,i]=[it(n,1-.995),it(n,.995)];return o<0&&-o>.05*Math.max(i,0)?t.map(r=>ze(r/Math.max(i,-o),-1,1)):(i<=o&&([o,i]=[n[0],n[n.length-1]]),t.map(r=>i>o?ze((r-o)/(i-o),0,1):0))}function q(e,t,n){for(let o=0;o<e.length;o++){let i=Math.abs(t[o]);e[o]=Vt[Math.round(255*i)]&16777215|Math.round(255*n*i**.9)<<24}}function Gt(e,t,n){for(let o=0;o<e.length;o++)e[o]=de(t[o]>0?no:oo,n*Math.abs(t[o])**.6)}function Yt(e,t,n,o){e.fill(0),io.forEach((i,r)=>{let a=i*e.length,s=Vt[[255,200,140][r]];for(let c=0;c<e.length;c++)t[c]<a&&ao(t,c,n,a)&&(e[c]=s&16777215|Math.round(255*Math.min(1,o+.15))<<24)})}function ao(e,t,n,o){let i=t%n;return i>0&&e[t-1]>=o||i<n-1&&e[t+1]>=o||t>=n&&e[t-n]>=o||t+n<e.length&&e[t+n]>=o}function Jt(e,t,n,o){let i=Ee(t);for(let r=0;r<e.length;r++){let a=t.reduce((c,d,p)=>d[r]>t[c][r]?p:c,0),s=Math.min(1,t[a][r]/i)**.75;e[r]=de(Ne[a%Ne.length],a<n.length?o*n[a]*s:0)}}function Zt(e,t,n,o=-1){let i=o<0?ro:Ne[o%Ne.length];for(let r=0;r<e.length;r++)e[r]=de(i,.9*ze(t[r]/n,0,1)**.75)}function Ee(e){let t=e[0].map((n,o)=>Math.max(...e.map(i=>i[o]))).sort();return it(t,.995)||t[t.length-1]||1}function Qt(e,t,n=.3){for(let o=0;o<e.length;o++){let i=t[o],r=[i&255,i>>8&255,i>>16&255],a=(r[0]+r[1]+r[2])/3;e[o]=de(r.map(s=>.9*(a+n*(s-a))),1)}}function it(e,t){let n=t*(e.length-1),o=Math.floor(n),i=Math.min(o+1,e.length-1);return e[o]+(n-o)*(e[i]-e[o])}function ze(e,t,n){return Math.min(n,Math.max(t,e))}function de([e,t,n],o){return(Math.round(255*o)<<24|Math.round(n)<<16|Math.round(t)<<8|Math.round(e))>>>0}function so(){let e=[[.0002189403691192265,.001651004631001012,-.01948089843709184],[.1065134194856116,.5639564367884091,3.932712388889277],[11.60249308247187,-3.972853965665698,-15.9423941062914],[-41.70399613139459,17.43639888205313,44.35414519872813],[77.162935699427,-33.40235894210092,-81.80730925738993],[-71.31942824499214,32.62606426397723,73.20951985803202],[25.13112622477341,-12.24266895238567,-23.07032500287172]];return Uint32Array.from({length:256},(t,n)=>{let o=i=>e.reduceRight((r,a)=>r*(n/255)+a[i],0);return de([0,1,2].map(i=>ze(255*o(i),0,255)),1)})}function en(e,t,n,o,i,r){let[a,s]=r==="deletion"?[n,t]:[t,n];for(let c=0;c<e.length;c++){let d=o[c]-i>>31;e[c]=s[c]^(a[c]^s[c])&d}}function co(e){let t=new Uint32Array(e.keys()).sort((o,i)=>e[i]-e[o]||o-i),n=new Uint32Array(e.length);return t.forEach((o,i)=>n[o]=i),n}function tn(e,t){let n=co(e),o=t instanceof Int16Array?new Uint16Array(e.length):new Uint32Array(e.length);for(let i=0;i<e.length;i++)o[i]=n[i]+t[i];return o}function Ie({counts:e,probabilities:t},n){let o=t.length/e.length,i=Math.max(0,e.findIndex(f=>f>=n)),r=n>e[e.length-1],a=r?e.length-1:i,s=e[a]===n,c=s||r||a===0?a:a-1,d=c===a?0:(n-e[c])/(e[a]-e[c]);return{values:Array.from({length:o},(f,g)=>{let[l,h]=[t[c*o+g],t[a*o+g]];return l+d*(h-l)}),measured:s,left:c,right:a}}function nn({counts:e,probabilities:t,top1:n,highest:o},i){let r=t.length/e.length,a=e.filter(s=>s<i.count).length;return{counts:Fe(e,a,[i.count]),probabilities:Float32Array.from(Fe(Array.from(t),a*r,i.probabilities)),top1:Int32Array.from(Fe(Array.from(n),a,[i.top1])),highest:Float32Array.from(Fe(Array.from(o),a,[i.top1_probability]))}}var Fe=(e,t,n)=>[...e.slice(0,t),...n,...e.slice(t)];function on({counts:e,top1:t},n,o){let i=t.findIndex(r=>r===n==(o==="insertion"));return i<0?null:e[i]}function rn(e,t,n){let o=e.reduce((i,r)=>Math.abs(r-t)<Math.abs(i-t)?r:i);return Math.abs(o-t)<=n?o:t}function an(e,t){let n=new Uint32Array(e.length);for(let i=0;i<n.length;i++)n[t[i]]=i;let o=new Float64Array(e.length);for(let i=0,r=0;i<n.length;i=r){for(;r<n.length&&e[n[r]]===e[n[i]];)r++;for(let a=i;a<r;a++)o[n[a]]=(i+r-1)/2}return o}function sn(e){let t=e[0].length,n=new Float64Array(t);for(let o=0;o<t;o++){let i=0,r=0;for(let a of e){let s=a[o]/t;i+=s,r+=s*s}n[o]=Math.sqrt(Math.max(0,r/e.length-(i/e.length)**2))}return n}function ue(e,t,n,o,i){let[r,a]=[cn(t,o),cn(n,i)],s=new Float64Array(o*i);for(let c=0,d=0;c<o;c++){let{low:p,high:f,share:g}=r[c];for(let l=0;l<i;l++,d++){let{low:h,high:m,share:$}=a[l],x=(1-$)*e[p*n+h]+$*e[p*n+m],b=(1-$)*e[f*n+h]+$*e[f*n+m];s[d]=(1-g)*x+g*b}}return s}function cn(e,t){return Array.from({length:t},(n,o)=>{let i=Math.max(0,(o+.5)*e/t-.5),r=Math.min(Math.floor(i),e-1);return{low:r,high:Math.min(r+1,e-1),share:e===t?0:i-r}})}var ln=new WeakMap;function at(e,t,n){let o=ln.get(e)??new Map;return ln.set(e,o),o.has(t)||o.set(t,n()),o.get(t)}function X(e,t){let{height:n,width:o}=e.bundle;return at(e,`map ${t}`,()=>ue(e.map(t),e.rows,e.cols,n,o))}function pn(e,t){return at(e,`strength ${t}`,()=>Q(X(e,t)))}function dn(e,t,n){let{height:o,width:i}=e.bundle;return at(e,`step ${t} ${n}`,()=>{let[,,r,a]=e.tensor("extras.path").shape,s=e.ofClass("extras.path",t);return Q(ue(s.subarray(n*r*a,(n+1)*r*a),r,a,o,i))})}function Oe({entry:e,target:t,reference:n,direction:o,count:i,label:r,name:a="perturbed"}){let{bundle:s}=e,c=s.references[n].image(o,t);return u`<${P}
    name=${a}
    width=${s.width}
    height=${s.height}
    label=${r}
    draw=${d=>en(d,s.image,c,e.ranks(t),i,o)}
    deps=${[e,t,n,o,i]}
  />`}function De({entry:e,target:t,view:n,opacity:o,label:i}){let{width:r,height:a}=e.bundle;return u`<${P}
    name="map"
    width=${r}
    height=${a}
    draw=${c=>{n==="off"||n==="contour"&&!e.orders(t)?c.fill(0):n==="contour"?Yt(c,e.ranks(t),r,o):(n==="signed"?Gt:q)(c,pn(e,t),o)}}
    deps=${[e,t,n,o]}
    label=${i}
  />`}function F({bundle:e,color:t}){return u`<${P}
    width=${e.width}
    height=${e.height}
    deps=${[e,t]}
    draw=${n=>Qt(n,e.image,t)}
  />`}function un({view:e}){return e==="signed"?u`<span class="key"><i class="ramp signed"></i>against to for</span>`:e==="contour"?u`<span class="key">top 5, 15, 30 %</span>`:e==="off"?u`<span class="key">map hidden</span>`:u`<span class="key"><i class="ramp"></i>low to high</span>`}var A={left:44,right:22,top:22,bottom:34};function re(e){let{series:t,position:n,max:o,height:i=200,label:r,axis:a,marker:s,range:c=[0,1],onScrub:d,ticks:p}=e,{formatX:f=_=>C(_/o),formatY:g=_=>C(_)}=e,l=E(null),h=uo(l),m=_=>A.left+(h-A.left-A.right)*_/(o||1),$=_=>i-A.bottom-(i-A.top-A.bottom)*(_-c[0])/(c[1]-c[0]||1),x=v(()=>u`<g>
        ${[0,.25,.5,.75,1].map(_=>c[0]+_*(c[1]-c[0])).map(_=>u`<line class="grid" x1=${m(0)} x2=${m(o)} y1=${$(_)} y2=${$(_)} />
                <text class="tick" x=${A.left-8} y=${$(_)+4} text-anchor="end">${g(_)}</text>`)}
        ${(p??[0,.25,.5,.75,1].map(_=>_*o)).map(_=>u`<text class="tick" x=${m(_)} y=${i-A.bottom+16} text-anchor="middle"
              >${f(_)}</text
            >`)}
        <text class="tick" x=${(m(0)+m(o))/2} y=${i-3} text-anchor="middle">${a}</text>
        ${s&&u`<line class=${`marker ${s.good?"good":""}`} x1=${m(s.at)} x2=${m(s.at)} y1=${A.top} y2=${i-A.bottom} />`}
        ${t.map((_,N)=>u`<${po} key=${N} series=${_} toX=${m} toY=${$} />`)}
        ${s&&u`<text
            class=${`marker-text ${s.good?"good":""}`}
            text-anchor=${s.at>.6*o?"end":"start"}
            x=${m(s.at)+(s.at>.6*o?-6:6)}
            y=${A.top-8}
            >${s.text}</text
          >`}
      </g>`,[t,h,i,o,c[0],c[1],s?.at,s?.text]),y=lo(_=>{let N=_.currentTarget.getBoundingClientRect(),V=(_.clientX-N.left-A.left)/(h-A.left-A.right);d?.(Math.min(1,Math.max(0,V))*o)});return u`<div class="chart" ref=${l}>
    <svg width=${h} height=${i} role="img" aria-label=${r} class=${d?"scrubbable":""} ...${d?y:{}}>
      ${x}
    </svg>
    ${n!==void 0&&u`<div
        class="cursor"
        style=${{transform:`translateX(${m(n)}px)`,top:`${A.top-4}px`,height:`${i-A.top-A.bottom+4}px`}}
      ></div>`}
  </div>`}function lo(e){let t=E(null);return{onPointerDown(n){n.currentTarget.setPointerCapture(n.pointerId),t.current=n.pointerType==="touch"?n.clientX:null,t.current===null&&e(n)},onPointerMove(n){t.current!==null&&Math.abs(n.clientX-t.current)>8&&(t.current=null),n.buttons&&t.current===null&&e(n)},onPointerUp(n){t.current!==null&&e(n),t.current=null}}}function po({series:e,toX:t,toY:n}){let o=e.x.map((r,a)=>[t(r),n(e.y[a])]).filter(([,r])=>Number.isFinite(r)),i=o.map(([r,a])=>`${r.toFixed(1)},${a.toFixed(1)}`).join(" ");return u`<g
    class=${["series",e.strong&&"strong",e.dashed&&"dashed",e.plain&&"plain"].filter(Boolean).join(" ")}
    style=${{color:e.color}}
  >
    <title>${e.name}</title>
    <polyline points=${i} />
    ${!e.plain&&o.map(([r,a])=>u`<circle cx=${r.toFixed(1)} cy=${a.toFixed(1)} r=${e.strong?3.2:1.8} />`)}
  </g>`}function uo(e){let[t,n]=W(480);return Ce(()=>{let o=e.current,i=()=>n(Math.max(200,Math.round(o.clientWidth))),r=new ResizeObserver(i);return r.observe(o),i(),()=>r.disconnect()},[]),t}var st={deletion:"removed",insertion:"shown"};function Re({chosen:e,set:t,series:n,flip:o,valueText:i}){let{bundle:r,direction:a,count:s,reference:c}=e,d=st[a],p=v(()=>o==null?null:{at:o,...a==="deletion"?{text:"decision flips"}:{text:"recognized",good:!0}},[o,a]),f=v(()=>[0,Kt(n.flatMap(({y:l})=>l))],[n]),g=v(()=>u`<div class="row">
        <${I}
          label="Test by"
          value=${a}
          onChange=${l=>t({direction:l,count:0})}
          options=${[["deletion","removing pixels"],["insertion","adding pixels"]]}
        />
        ${r.references.length>1&&u`<${I}
            label=${a==="deletion"?"Replace by":"Start from"}
            value=${r.references[c].name}
            onChange=${l=>t({reference:l})}
            options=${r.references.map(l=>[l.name,Ae(l.name)])}
          />`}
      </div>`,[r,a,c]);return u`<div class="scrubber">
    ${g}
    <${re}
      series=${n}
      range=${f}
      formatY=${l=>C(l,f[1]<.04?1:0)}
      position=${s}
      max=${r.pixels}
      marker=${p}
      onScrub=${l=>t({count:hn(e,l)})}
      label=${`Probability while pixels are ${d}. Drag to scrub.`}
      axis=${`pixels ${d}, most important first`}
    />
    <${ct} name="scrub" chosen=${e} set=${t} valueText=${i} />
    <p class="legend">
      <span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${C(s/r.pixels,1)} · ${oe(s)} pixels ${d}</span>
    </p>
  </div>`}function ct({name:e,chosen:t,set:n,valueText:o}){let{bundle:i,direction:r,count:a,curve:s}=t,{pixels:c}=i,d=m=>n({count:Math.min(c,Math.max(0,m))}),p=s.counts.filter(m=>m<a).at(-1),f=s.counts.find(m=>m>a),g=m=>{let $={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[m.key],x={PageUp:f??a,PageDown:p??a,Home:0,End:c}[m.key];$===void 0&&x===void 0||(m.preventDefault(),d(x??a+Math.round(($??0)*c/100)))},l=E(a),h=E(g);return h.current=g,ne(()=>{if(e!=="scrub")return;let m=$=>["ArrowLeft","ArrowRight"].includes($.key)&&ho($)&&h.current($);return addEventListener("keydown",m),()=>removeEventListener("keydown",m)},[e]),u`<div class="slide">
    <button
      type="button"
      class="step"
      aria-label="Previous measured point"
      disabled=${p===void 0}
      onClick=${()=>d(p??0)}
    >
      ‹
    </button>
    <input
      type="range"
      data-name=${e}
      min="0"
      max=${c}
      step="1"
      value=${a}
      aria-label=${`Pixels ${st[r]}`}
      aria-valuetext=${`${C(a/c,1)} of the pixels ${st[r]}. ${o}`}
      style=${{"--filled":`${100*a/c}%`}}
      onInput=${m=>n({count:hn(t,Number(m.currentTarget.value))})}
      onKeyDown=${g}
      onPointerDown=${()=>l.current=a}
      onPointerCancel=${()=>n({count:l.current})}
    />
    <button
      type="button"
      class="step"
      aria-label="Next measured point"
      disabled=${f===void 0}
      onClick=${()=>d(f??0)}
    >
      ›
    </button>
  </div>`}var ho=e=>!e.defaultPrevented&&!(e.altKey||e.ctrlKey||e.metaKey||e.shiftKey)&&!e.target.closest("input, select, textarea"),hn=({bundle:e,curve:t},n)=>rn(t.counts,Math.round(n),.008*e.pixels);function mn(e){let t=E(0);return(n,o)=>{let i=()=>cancelAnimationFrame(t.current);if(i(),matchMedia("(prefers-reduced-motion: reduce)").matches)return e({count:o});let r=performance.now(),a=s=>{let c=Math.min(1,Math.max(0,(s-r)/700));e({count:c<1?Math.round(n+(o-n)*c*c*(3-2*c)):o}),c<1&&(t.current=requestAnimationFrame(a))};t.current=requestAnimationFrame(a);for(let s of["pointerdown","keydown"])addEventListener(s,i,{capture:!0,once:!0})}}var lt={U8:Uint8Array,U16:Uint16Array,U32:Uint32Array,I16:Int16Array,I32:Int32Array,F32:Float32Array};function fn(e,{packed:t=!1}={}){let n=new DataView(e.buffer,e.byteOffset,e.byteLength),o=8+Number(n.getBigUint64(0,!0)),i=JSON.parse(new TextDecoder().decode(e.subarray(8,o))),r=new Map;for(let[a,s]of Object.entries(i)){if(a==="__metadata__")continue;let[c,d]=s.data_offsets,p=e.slice(o+c,o+d),f=s.shape,g=t?mo(p,s.dtype,f[f.length-1]):p,l=new lt[s.dtype](g.buffer);r.set(a,{values:l,shape:f})}return{metadata:i.__metadata__??{},tensors:r}}function mo(e,t,n){let o=fo(e,lt[t].BYTES_PER_ELEMENT);if(t.startsWith("I"))return o;let i=new lt[t==="F32"?"U32":t](o.buffer);if(go(i,n),t==="F32")for(let r=0;r<i.length;r++)i[r]=i[r]&2147483648?i[r]&2147483647:~i[r];return o}function fo(e,t){let n=e.length/t,o=new Uint8Array(e.length);for(let i=0;i<t;i++)for(let r=0;r<n;r++)o[r*t+i]=e[i*n+r];return o}function go(e,t){for(let n=0;n<e.length;n++)e[n]=e[n]>>>1^-(e[n]&1);for(let n=t;n<e.length;n++)e[n]+=e[n-t];for(let n=1;n<e.length;n++)n%t&&(e[n]+=e[n-1])}var _n=["deletion","insertion"],ht=["random","center"],pt=class{constructor(t,n,o){this.bundle=o,this.method=t.label||t.method,this.about=t.about,this.options=t.options,this.classAgnostic=t.class_agnostic,this.cost=t.cost,this.checks=t.checks,this.notes=t.notes,this.scores=t.scores,this.citation=t.citation,this.code=t.code,this.rounded=n.has("order"),this.tensors=n.has("order")?xo(n,o):n,this.asked=new Map,this.ranked=new Map,this.ordered=new Map;let[,i,r]=this.tensor("maps").shape;this.rows=i,this.cols=r,this.name=t.method,this.isBaseline=ht.includes(this.name)}tensor(t){let n=this.tensors.get(t);if(!n)throw new Error(`the bundle holds no ${t} of ${this.method}`);return n}has(...t){return t.every(n=>this.tensors.has(n))}ofClass(t,n){let{values:o,shape:i}=this.tensor(t),r=o.length/i[0],a=i[0]===1?0:n;return o.subarray(a*r,(a+1)*r)}score(t,n,o){let i=this.scores.filter(r=>r.metric===t&&r.target===n);return i.find(r=>r.reference===o)??i.find(r=>r.reference==="all")}map(t){return this.ofClass("maps",t)}orders(t){let n=this.classAgnostic?0:t,o=this.ordered.get(n)??this.map(n).every(Number.isFinite);return this.ordered.set(n,o),o}get contrasts(){return this.name.split(":").includes("var")?!1:!this.classAgnostic&&this.bundle.targets.every((t,n)=>this.orders(n))}ranks(t){if(this.has("ranks"))return this.ofClass("ranks",t);let n=this.classAgnostic?0:t,o=this.ranked.get(n);if(o)return o;let i=this.orders(n)?X(this,n):new Float64Array(this.bundle.pixels),r=tn(i,this.ofClass("corrections",n));return this.ranked.set(n,r),r}curve(t,n,o){let i=this.bundle.counts[n],r=this.bundle.references.length,a=_n.indexOf(n)*r+o,s=this.bundle.watched.length,c=this.ofClass("probabilities",t),d=this.ofClass("top1",t),p=this.ofClass("top1_probabilities",t),f=i.length,g={counts:i,probabilities:c.subarray(a*f*s,(a+1)*f*s),top1:d.subarray(a*f,(a+1)*f),highest:p.subarray(a*f,(a+1)*f)};return(this.asked.get(gn(t,n,o))??[]).reduce(nn,g)}addPoint(t,n,o,i){let r=gn(t,n,o);this.asked=new Map(this.asked).set(r,[...this.asked.get(r)??[],i])}},gn=(e,t,n)=>`${e} ${t} ${n}`,dt=class{constructor(t,n,o){this.name=t;let[i,r]=_n.map(a=>{let{values:s,shape:c}=n(a)??n("deletion"),d=s.length/c[0];return Array.from({length:c[0]},(p,f)=>xn(s.subarray(f*d,(f+1)*d),o))});this.images={deletion:i,insertion:r}}image(t,n){let o=this.images[t];return o.length===1?o[0]:o[n]}},ut=class{constructor(t,n){this.name=t.name,this.model=t.model,this.targets=t.targets,this.prediction=t.prediction,this.counts=t.counts,this.classNames=t.class_names;let o=n.get("image");if(!o)throw new Error("the bundle holds no image");this.height=o.shape[1],this.width=o.shape[2],this.pixels=this.height*this.width,this.image=xn(o.values,this.pixels),this.watched=t.watched.map((i,r)=>({index:i,slot:r,name:this.className(i),probability:t.probabilities[r]})),this.references=t.references.map(i=>new dt(i,r=>n.get(`references.${i}.${r}`),this.pixels)),this.entries=t.explanations.map((i,r)=>new pt(i,bo(n,`explanations.${r}.`),this))}className(t){return(this.classNames[t]??`class ${t}`).split(",")[0]}info(t){return this.watched.find(n=>n.index===t)}},_o="0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=:?@^_`{|}~";function $n(e){let t=e.trim(),n=Object.fromEntries([..._o].map((i,r)=>[i.charCodeAt(0),r])),o=new DataView(new ArrayBuffer(Math.ceil(t.length/5)*4));for(let i=0;i<t.length;i+=5){let r=0;for(let a=i;a<i+5;a++)r=r*85+(n[t.charCodeAt(a)]??84);o.setUint32(i/5*4,r)}return $o(new Uint8Array(o.buffer,0,Math.floor(t.length*.8)))}async function $o(e){let t=new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip")),n=new Uint8Array(await new Response(t).arrayBuffer()),{metadata:o,tensors:i}=fn(n,{packed:!0});return new ut(JSON.parse(o.seewhy),i)}function xn(e,t){let n=e.length/3,o=new Uint8ClampedArray(t*4);for(let i=0,r=0;i<t;i++,r+=4){let a=n===1?0:i;o[r]=e[a],o[r+1]=e[n+a],o[r+2]=e[2*n+a],o[r+3]=255}return new Uint32Array(o.buffer)}function xo(e,{height:t,width:n,pixels:o}){let[i,r,a]=["order","levels","step"].map(l=>e.get(l).values),s=i instanceof Int16Array,c=s?new Uint16Array(i.buffer):i,d=new Int32Array(r.buffer),p=s?new Uint16Array(i.length):new Uint32Array(i.length),f=new Float32Array(i.length);for(let l=0;l<i.length;l++){let h=Math.floor(l/o),m=h*o+c[l];p[m]=l-h*o,f[m]=d[l]*a[h]}let g=[a.length,t,n];return new Map(e).set("maps",{values:f,shape:g}).set("ranks",{values:p,shape:g})}function bo(e,t){return new Map([...e].filter(([n])=>n.startsWith(t)).map(([n,o])=>[n.slice(t.length),o]))}function O(e,t){let n=e.entries[t.method]??e.entries[0],o=Math.max(0,e.targets.indexOf(t.class)),i=Math.max(0,e.references.findIndex(r=>r.name===t.reference));return{bundle:e,entry:n,target:o,explained:e.info(e.targets[o]),reference:i,count:Math.round(Math.min(e.pixels,Math.max(0,t.count))),direction:t.direction,curve:n.curve(o,t.direction,i),view:le(t)}}var K=e=>`var(--series-${e%8})`;function bn({bundle:e,state:t,set:n}){let o=O(e,t),{target:i,reference:r,direction:a,count:s,explained:c,view:d}=o,p=v(()=>Mo(o),[e,i,r,a]),f=e.entries.map(h=>h.orders(i)?Ie(h.curve(i,a,r),s).values[c.slot]:null),g=e.entries.map((h,m)=>`${h.method} ${Ue(f[m])}`).join(", "),l=v(()=>({top:u`<header class="intro">
      <h1>Which map finds what the model needs?</h1>
      <p>
        Every method ranks the pixels of this image for <b>${c.name}</b>. Drag once, and
        ${a==="deletion"?" every image loses":" every reference gets"} the most important pixels of its
        map: the better the map, the sooner the probability ${a==="deletion"?"drops":"rises"}.
        ${a==="deletion"&&" Scattered pixels destroy any image, so a quick drop alone proves little."} A map is
        worth looking at if its insertion − deletion beats the baselines.
      </p>
    </header>
    <div class="choices row">
      ${e.targets.length>1&&u`<${I}
          label="Class"
          value=${String(c.index)}
          onChange=${h=>n({class:Number(h)})}
          options=${e.targets.map(h=>[String(h),e.className(h)])}
        />`}
      <${I}
        label="Show"
        value=${t.show}
        onChange=${h=>n({show:h})}
        options=${[["both","Map and image"],["map","Map"],["image","Image"]]}
      />
      ${t.show!=="image"&&u`<${I}
          label="Map"
          value=${t.view}
          onChange=${h=>n({view:h})}
          options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"]]}
        />`}
      <div class="field zooms">
        <span class="label">Zoom ${d.zoom.toFixed(1)}×</span>
        <div class="segmented" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom out" onClick=${()=>n(H(d,d.zoom/1.5))}>−</button>
          <button type="button" aria-label="Zoom in" onClick=${()=>n(H(d,d.zoom*1.5))}>+</button>
          <button type="button" onClick=${()=>n({zoom:1,x:0,y:0})}>Reset</button>
        </div>
      </div>
    </div>`,scores:u`<section class="card scores" aria-label="Scores">
        <h2>Scores</h2>
        <${ko} chosen=${o} state=${t} set=${n} />
      </section>`,names:u`<p class="names">
        ${e.entries.map((h,m)=>u`<span><i class="swatch" style=${{background:je(h,m)}}></i>${h.method}</span>`)}
      </p>`,disagreement:u`<${wo} chosen=${o} set=${n} />`}),[e,i,r,a,t.show,t.view,t.sort,t.descending,t.zoom,t.x,t.y]);return u`${l.top}
    <div class="compare">
      <div class="column">
      <section class="card curves" aria-label="Curves">
        <h2>Probability of ${c.name}</h2>
        <${Re} chosen=${o} set=${n} series=${p} valueText=${g} />
        ${l.names}
      </section>
      ${l.disagreement}
      </div>
      <div class="column">
      <section class="methods" aria-label="Methods" style=${{"--columns":vo(e.entries.length,t.show)}}>
        ${e.entries.map((h,m)=>u`<${yo} key=${m} entry=${h} chosen=${o} state=${t} set=${n} color=${je(h,m)} value=${f[m]} />`)}
      </section>
      ${l.scores}
      </div>
      <div class="dock"><${ct} name="dock" chosen=${o} set=${n} valueText=${g} /></div>
    </div>`}var Ue=e=>e===null?"not tested":S(e),vo=(e,t)=>e<=(t==="both"?6:4)?e:Math.ceil(e/2);function yo({entry:e,chosen:t,state:n,set:o,color:i,value:r}){let{bundle:a,target:s,reference:c,direction:d,count:p,view:f}=t,g={width:a.width,height:a.height,view:f,onView:o},l=u`<button
    type="button"
    class="link"
    title=${`Explain with ${e.method}`}
    onClick=${()=>o({screen:"explain",method:a.entries.indexOf(e)})}
  >
    <i class="swatch" style=${{background:i}}></i>${e.method}
  </button>`,h=n.show!=="image",m=n.show==="map"?Ue(r):void 0,$=v(()=>h&&u`<${T} ...${g} title=${l} note=${m}>
        <${F} bundle=${a} /><${De}
          entry=${e}
          target=${s}
          view=${n.view}
          opacity=${n.opacity}
          label=${`Map by ${e.method}`}
      /><//>`,[e,s,h,m,n.view,n.opacity,n.zoom,n.x,n.y]);return u`<div class="method">
    ${$}
    ${n.show!=="map"&&u`<${T}
        ...${g}
        title=${h?u`<span class="muted">${a.className(a.targets[s])}</span>`:l}
        note=${u`<b>${Ue(r)}</b>`}
      >
        <${Oe}
          entry=${e}
          target=${s}
          reference=${c}
          direction=${r===null?"deletion":d}
          count=${r===null?0:p}
          label=${`Perturbed by ${e.method}: ${Ue(r)}`}
      /><//>`}
  </div>`}function wo({chosen:{bundle:e,target:t,view:n},set:o}){let i=e.entries.filter(s=>!s.isBaseline&&s.orders(t)),r=v(()=>i.length>1?sn(i.map(s=>an(X(s,t),s.ranks(t)))):null,[e,t]);if(!r)return null;let a=r.reduce((s,c)=>s+c,0)/r.length;return u`<section class="card disagreement" aria-label="Disagreement">
    <h2>Where the methods disagree</h2>
    <p class="muted">
      Bright where ${i.map(s=>s.method).join(", ")} rank a pixel differently. On average, ranks differ
      by ±${C(a)}. Pixels of equal value share their mean rank.
    </p>
    <${T} title="Spread of the ranks" width=${e.width} height=${e.height} view=${n} onView=${o}>
      <${F} bundle=${e} />
      <${P}
        name="disagreement"
        width=${e.width}
        height=${e.height}
        deps=${[r]}
        label="Standard deviation of the relative ranks"
        draw=${s=>q(s,Q(r),.9)}
      />
    <//>
  </section>`}function ko({chosen:{bundle:e,reference:t,explained:n},state:o,set:i}){let r=e.references[t].name,a=[...new Map(e.entries.flatMap(h=>h.scores.map(m=>[m.metric,m.higher_is_better])))],s=(h,m)=>m==="passes"?h.cost.forwards+h.cost.backwards:h.score(m,n.index,r)?.score??null,c=[...a,["passes",!1]],d=o.descending?-1:1,p=[...e.entries].sort((h,m)=>{if(o.sort==="method")return d*h.method.localeCompare(m.method);let[$,x]=[s(h,o.sort),s(m,o.sort)];return $===null||x===null?+($===null)-+(x===null):d*($-x)}),f=new Map(c.map(([h,m])=>{let $=e.entries.map(x=>s(x,h)).filter(x=>x!==null);return[h,m?Math.max(...$):Math.min(...$)]})),g=(h,m)=>i(h===o.sort?{descending:!o.descending}:{sort:h,descending:m}),l=(h,m,$)=>u`<th
      scope="col"
      key=${h}
      aria-sort=${h===o.sort?o.descending?"descending":"ascending":"none"}
    >
      <button type="button" onClick=${()=>g(h,m)}>
        ${h==="ins_del"?"ins − del":Se(h)} <span aria-hidden="true">${h===o.sort?o.descending?"▼":"▲":$}</span>
      </button>
    </th>`;return u`<div class="scroll">
      <table>
        <thead>
          <tr>
            ${l("method",!1,"")}${c.map(([h,m])=>l(h,m,m?"↑":"↓"))}
          </tr>
        </thead>
        <tbody>
          ${p.map(h=>u`<tr key=${e.entries.indexOf(h)}>
                <th scope="row">
                  <i class="swatch" style=${{background:je(h,e.entries.indexOf(h))}}></i
                  >${h.method}
                </th>
                ${c.map(([m])=>{let $=s(h,m),x=$===null?"–":m==="passes"?pe($):Z($);return u`<td
                    class=${m!=="passes"&&$!==null&&$===f.get(m)?"best":""}
                  >
                    ${x}
                  </td>`})}
              </tr>`)}
        </tbody>
      </table>
    </div>
    <p class="muted">
      Reference: ${Ae(r)}. ↑ higher is better, ↓ lower is better; the best value is bold. Passes: forward and backward,
      to make the map.
    </p>`}var je=(e,t)=>e.isBaseline?["var(--muted)","var(--ink)"][ht.indexOf(e.name)]:K(t);function Mo({bundle:e,target:t,direction:n,reference:o,explained:i}){let r=e.watched.length;return e.entries.flatMap((a,s)=>{if(!a.orders(t))return[];let{counts:c,probabilities:d}=a.curve(t,n,o),p=c.map((f,g)=>d[g*r+i.slot]);return[{name:a.method,color:je(a,s),x:c,y:p,strong:!a.isBaseline,dashed:a.isBaseline}]})}var vn=95367431640625e-20;function yn(e,{temperatures:t,mode:n,scale:o}){let i=t.map(d=>n==="multiply"?d:1/d),r=o==="max"&&Co(e)||1,a=e[0].length,s=e.map(()=>new Float64Array(a)),c=new Float64Array(e.length);for(let d=0;d<a;d++){let p=Math.max(...e.map(f=>f[d]));for(let f of i){let g=0;for(let l=0;l<e.length;l++)g+=c[l]=Math.exp((e[l][d]-p)/r*f);for(let l=0;l<e.length;l++)s[l][d]+=c[l]/g/i.length}}return s}function wn(e,t,n){let o=1/e.length,i=Math.max(n,vn);return e.map((r,a)=>r.map((s,c)=>t[a][c]-o>i?s*t[a][c]:0))}function kn(e,t){let n=1/e.length;return e[0].map((o,i)=>{let r=Math.min(...e.map(s=>Math.max(s[i],0))),a=Math.max(...t.map(s=>s[i]));return r*(1-(a-n)/(1-n))})}function Mn(e,t){let n=e.map(o=>new Float64Array(o.length));for(let o=0;o<e[0].length;o++){let i=t.map(c=>c[o]),r=Math.max(...i),a=i.indexOf(r),s=Math.max(...i.filter((c,d)=>d!==a));r-s>vn&&(n[a][o]=Math.max(e[a][o],0)*(r-s))}return n}function Co(e){let t=0;for(let n of e)for(let o of n)t=Math.max(t,Math.abs(o));return t}function mt(e,t,n){let o=t.map(r=>X(e,r)),i=yn(o,n);return{distribution:i,own:wn(o,i,n.margin),won:Mn(o,i),shared:kn(o,i)}}var Cn=[1,5,100];function So(e,t){let n=e.split(/[\s,;]+/).filter(Boolean).map(Number),o=i=>i<1/0&&(t==="divide"?i>0:i>=0);return n.length&&n.every(o)?n:null}function Tn({bundle:e,state:t,set:n}){let{view:o}=O(e,t),i=e.entries.filter(_=>_.contrasts),r=i.includes(e.entries[t.method])?e.entries[t.method]:i[0],a=Math.max(0,e.targets.indexOf(t.a)),s=e.targets.includes(t.b)&&e.targets.indexOf(t.b)!==a?e.targets.indexOf(t.b):+(a===0),c=So(t.temperatures,t.mode),d=c??Cn,p=v(()=>mt(r,[a,s],{temperatures:d,mode:t.mode,scale:t.scaled?"max":null,margin:t.margin}),[r,a,s,d.join(),t.mode,t.scaled,t.margin]),f=v(()=>Ee(p.own),[p]),[g,l]=[a,s].map(_=>e.className(e.targets[_])),h=[Math.min(1,2*(1-t.mix)),Math.min(1,2*t.mix)],m=v(()=>p.own.map((_,N)=>Sn(_)/Sn(X(r,[a,s][N]))),[p]),$=m.findIndex(_=>!(_>=.005)),x={width:e.width,height:e.height,view:o,onView:n},b=e.targets.map(_=>[_,e.className(_)]),y=(_,N,V,ee,D)=>u`<${F} bundle=${e} color=${0} /><${P}
        name=${_}
        width=${e.width}
        height=${e.height}
        label=${D}
        deps=${[N,V]}
        draw=${fe=>Zt(fe,N,V,ee)}
      />`;return u`<header class="intro">
      <h1>Why <strong class="class-a">${g}</strong> and not <strong class="class-b">${l}</strong>?</h1>
      <p>
        Where both classes claim the same pixels, they compete, and each keeps only what it wins (VAR); what both claim
        about equally is shared. Slide from one class to the other. The model gives${" "}
        ${g} ${S(e.info(e.targets[a])?.probability??0)} and ${l} ${S(e.info(e.targets[s])?.probability??0)}.
      </p>
      ${$>=0&&u`<p class="error" role="status" data-name="beaten">
        ${[g,l][$]} wins ${m[$]>0?"next to nothing":"nothing"}: the map of ${[l,g][$]} is higher wherever ${[g,l][$]} has evidence.
      </p>`}
    </header>
    <div class="choices row">
      <${Pe}
        label="A"
        value=${e.targets[a]}
        options=${b}
        onChange=${_=>n(_===e.targets[s]?{a:_,b:e.targets[a]}:{a:_})}
      />
      <${Pe}
        label="B"
        value=${e.targets[s]}
        options=${b}
        onChange=${_=>n(_===e.targets[a]?{a:e.targets[s],b:_}:{b:_})}
      />
      <${Pe}
        label="Method"
        value=${e.entries.indexOf(r)}
        options=${i.map(_=>[e.entries.indexOf(_),_.method])}
        onChange=${_=>n({method:_})}
      />
    </div>
    <div class="contrast">
      <section class="stage">
        <${T} ...${x} title="Who wins where" note="gray: no lead">
          <${F} bundle=${e} color=${0} />
          <${P}
            name="winners"
            width=${e.width}
            height=${e.height}
            label=${`${g} in orange, ${l} in blue`}
            deps=${[p,...h]}
            draw=${_=>Jt(_,p.won,h,.9)}
          />
        <//>
        <${U}
          label="From A to B"
          name="mix"
          value=${t.mix}
          min=${0}
          max=${1}
          step=${.01}
          text=${Ao(t.mix,g,l)}
          onInput=${_=>n({mix:_})}
          ends=${[u`<b class="class-a">${g}</b>`,u`<b class="class-b">${l}</b>`]}
        />
      </section>
      <section class="parts">
        <${T}
          ...${x}
          title=${u`<i class="swatch class-a"></i>Won by ${g}`}
          note=${An(m[0])}
          >${y("own-a",p.own[0],f,0,`Evidence that ${g} keeps`)}<//
        >
        <${T}
          ...${x}
          title=${u`<i class="swatch class-b"></i>Won by ${l}`}
          note=${An(m[1])}
          >${y("own-b",p.own[1],f,1,`Evidence that ${l} keeps`)}<//
        >
        <${T} ...${x} title=${u`<i class="swatch class-shared"></i>Shared`}
          >${y("shared",p.shared,Ee([p.shared]),-1,"Evidence that both classes have")}<//
        >
        <div class="card settings">
          <h2>Settings</h2>
          <label class="field"
            ><span class="label">Temperatures</span
            ><input
              type="text"
              value=${t.temperatures}
              aria-invalid=${!c}
              inputmode="decimal"
              onChange=${_=>n({temperatures:_.currentTarget.value})}
            />${!c&&u`<span class="error" role="alert">
              Give numbers ${t.mode==="divide"?"above 0":"of at least 0"}, separated by commas. Shown: ${Cn.join(", ")}.
            </span>`}</label
          >
          <${I}
            label="They are"
            value=${t.mode}
            onChange=${_=>n({mode:_})}
            options=${[["multiply","factors"],["divide","divisors"]]}
          />
          <${U}
            label="Threshold above an even share"
            name="margin"
            value=${t.margin}
            min=${0}
            max=${.5}
            step=${.01}
            text=${t.margin.toFixed(2)}
            onInput=${_=>n({margin:_})}
          />
          <${Te}
            label="Scale the maps to a largest value of 1 first"
            checked=${t.scaled}
            onChange=${_=>n({scaled:_})}
          />
          ${r.rounded&&u`<p class="muted" data-name="rounded">
              To keep this file small, the values of these maps are rounded to 1/65,536 of the largest; the shares here
              differ from Python's by up to about 0.0002.
            </p>`}
        </div>
      </section>
    </div>`}var Sn=e=>e.reduce((t,n)=>t+Math.max(n,0),0),An=e=>e>=0?`keeps ${C(e)} of its evidence`:"has no evidence";function Ao(e,t,n){return e===.5?"both":e<.5?e===0?`only ${t}`:`mostly ${t}`:e===1?`only ${n}`:`mostly ${n}`}function ie({entries:e,entry:t,explained:n,set:o}){let{bundle:i}=t;return u`<div class="choices">
    <div class="field">
      <span class="label">Explain the class</span>
      <div class="chips" role="group" aria-label="Explained class">
        ${i.targets.map(r=>{let a=i.info(r);return u`<button
            type="button"
            class="chip"
            key=${r}
            aria-pressed=${r===n.index}
            onClick=${()=>o({class:r})}
          >
            <i style=${{background:K(a.slot)}}></i>${a.name}
            <span>${S(a.probability)}</span>
          </button>`})}
      </div>
    </div>
    <div class="field">
      <span class="label">with the method</span>
      <div class="chips" role="group" aria-label="Method">
        ${e.map(r=>u`<button
              type="button"
              class="chip"
              key=${i.entries.indexOf(r)}
              aria-pressed=${r===t}
              title=${r.about}
              onClick=${()=>o({method:i.entries.indexOf(r)})}
            >
              ${r.method}${r.isBaseline&&u` <span>baseline</span>`}
            </button>`)}
      </div>
    </div>
  </div>`}function Pn(e,t,n){let o=Array.from(e),i=o.map((s,c)=>s>=n?1-(c+1)/o.length:s),r=Math.max(...i),a=Math.max(...o)/(r>0?r:1);return o.map((s,c)=>(1-t)*s+t*i[c]*a)}function Nn(e,t){let n=new Float64Array(e.length);return e.forEach((o,i)=>n[t[i]]=o),n}var ft=["extras.order","extras.sparse"];function Le(e,t,n){let o=Number(e.options.kappa??.005),i=Pn(e.ofClass("extras.sparse",t),n,o);return{ranked:i,map:Nn(i,e.ofClass("extras.order",t))}}function zn({bundle:e,state:t,set:n}){let{target:o,view:i,explained:r}=O(e,t),a=e.entries.filter(m=>m.has(...ft)),s=a.includes(e.entries[t.method])?e.entries[t.method]:a[0],c=Math.min(1,Math.max(0,t.gamma)),{ranked:d,map:p}=v(()=>Le(s,o,c),[s,o,c]),f=v(()=>Le(s,o,0).ranked,[s,o]),g=v(()=>Q(ue(p,s.rows,s.cols,e.height,e.width)),[p]),l=d.map((m,$)=>$+1),h=v(()=>[{name:"sparse",color:"var(--muted)",x:l,y:f,plain:!0},{name:"now",color:"var(--series-0)",x:l,y:d,strong:!0,plain:!0}],[d]);return u`<header class="intro">
      <h1>How dense should the map of <strong>${r.name}</strong> be?</h1>
      <p>
        MDA ranks the patches first and gives them magnitudes after. Gamma moves the magnitudes from sparse, where a few
        patches carry everything, to dense, where they fall evenly with the rank. The order of the patches stays.
      </p>
    </header>
    <${ie} entries=${a} entry=${s} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${T}
          title=${`${s.method} for ${r.name}`}
          note=${`gamma ${c.toFixed(2)}`}
          width=${e.width}
          height=${e.height}
          view=${i}
          onView=${n}
        >
          <${F} bundle=${e} />
          <${P}
            name="density"
            width=${e.width}
            height=${e.height}
            deps=${[g]}
            label=${`Map at gamma ${c.toFixed(2)}`}
            draw=${m=>q(m,g,.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Magnitudes">
        <h2>Magnitude by rank</h2>
        <${re}
          series=${h}
          max=${l.length}
          range=${[0,Math.max(...f)||1]}
          label="Magnitude of the patches by rank"
          axis="rank of the patch"
          formatX=${m=>String(Math.round(m))}
          formatY=${m=>m.toFixed(Math.max(...f)<.1?3:2)}
        />
        <p class="legend">
          <span><i class="line now"></i>gamma ${c.toFixed(2)}</span><span><i class="line"></i>sparse, as fitted</span>
        </p>
        <${U}
          label="Gamma"
          name="gamma"
          value=${c}
          min=${0}
          max=${1}
          step=${.01}
          text=${c.toFixed(2)}
          onInput=${m=>n({gamma:m})}
          ends=${["sparse","dense"]}
        />
      </section>
    </div>`}function En({classes:e,values:t,measured:n,explained:o,winner:i,others:r,other:a}){return u`<ul class=${`bars ${n?"":"between"}`} aria-label="Class probabilities">
    ${e.map(({index:s,name:c,slot:d,probability:p})=>u`<li
          key=${s}
          data-class=${s}
          data-probability=${t[d]}
          class=${`${s===o?"explained":""} ${s===i?"winner":""}`}
          style=${{color:K(d)}}
        >
          <span class="name" title=${c}>${c}</span>
          <span class="track"
            ><i style=${{transform:`scaleX(${t[d]})`}}></i><b style=${{left:`${100*p}%`}}></b
          ></span>
          <span class="value">${S(t[d])}</span>
        </li>`)}
    ${r&&u`<li
        key="other"
        data-class=${a?.index}
        data-probability=${a?.probability}
        class=${a?"winner":"muted"}
        style=${{color:"var(--muted)"}}
      >
        <span class="name" title=${a?.name}>${a?.name??"no other class leads"}</span>
        <span class="track"><i style=${{transform:`scaleX(${a?.probability??0})`}}></i></span>
        <span class="value">${a?S(a.probability):""}</span>
      </li>`}
  </ul>`}function Fn({chosen:{bundle:e,entry:t,target:n,reference:o,explained:i}}){let r=e.references[o].name,s=[...new Set(t.scores.map(p=>p.metric))].flatMap(p=>t.score(p,i.index,r)??[]),c=Object.entries(t.checks).filter(([,p])=>!p[n]),d=Object.entries(t.options).map(([p,f])=>`${p}=${JSON.stringify(f)}`);return u`<section class="card facts" aria-label="Facts">
    <h2>Facts</h2>
    ${t.about&&u`<p>${Xt(t.about)}</p>`}
    ${t.notes.map(p=>u`<p class="bad" role="note">Warning: ${p}.</p>`)}
    <dl>
      ${s.map(p=>u`<div>
            <dt>${Se(p.metric)}</dt>
            <dd>
              ${p.score===null?"undefined":Z(p.score)} <span class="muted">${p.higher_is_better?"higher is better":"lower is better"}</span>
            </dd>
          </div>`)}
      <div>
        <dt>cost</dt>
        <dd>
          ${pe(t.cost.forwards)} forward and ${pe(t.cost.backwards)} backward passes,${" "}
          ${t.cost.seconds.toFixed(2)} s
        </dd>
      </div>
      <div>
        <dt>checks</dt>
        <dd>
          ${c.length?u`<b class="bad">failed: ${c.map(([p])=>p).join(", ")}</b>`:`passed: ${Object.keys(t.checks).join(", ")}`}
        </dd>
      </div>
      <div>
        <dt>options</dt>
        <dd>${d.join(", ")||"defaults"}</dd>
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
      <${rt}
        text=${t.code}
        label="Copy code"
      />${t.citation&&u`<${rt} text=${t.citation} label="Copy citation" />`}
    </p>
    <details>
      <summary>Code</summary>
      <pre>${t.code}</pre>
    </details>
    ${t.citation&&u`<details>
        <summary>Citation</summary>
        <pre>${t.citation}</pre>
      </details>`}
  </section>`}var he={measure:null};function In({bundle:e,state:t,set:n}){let o=To(e,t),{entry:i,target:r,reference:a,direction:s,count:c,curve:d,explained:p}=o,f=v(()=>No(o),[i,i.asked,r,a,s]),g=v(()=>Ro(o),[i,i.asked,r,a,s]),l=Ie(d,c),h=mn(n),m=C(c/e.pixels),$={width:e.width,height:e.height,view:o.view,onView:n},x=v(()=>{let _=u`<${De}
      entry=${i}
      target=${r}
      view=${t.view}
      opacity=${t.opacity}
      label=${`Map by ${i.method} for ${p.name}`}
    />`,N=u`<${un} view=${t.view} />`;return{layer:_,top:u`<${Eo} chosen=${o} />
        <${ie} entries=${e.entries} entry=${i} explained=${p} set=${n} />`,map:t.side&&u`<${T} ...${$} title="The map" note=${N}><${F} bundle=${e} />${_}<//>`,controls:u`<${Fo} state=${t} set=${n} />`,facts:u`<${Fn} chosen=${o} />`}},[i,r,a,s,t.view,t.opacity,t.side,t.zoom,t.x,t.y]),b=s==="deletion"?"removed":"shown",y=c?`${m} ${b}`:s==="deletion"?"untouched":"nothing yet";return u`${x.top}
    <div class="explain">
      <section class="stage" aria-label="Image and map">
        <div class=${`panels ${t.side?"two":"one"}`}>
          <${T} ...${$} title="What the model sees" note=${y}>
            <${Oe}
              entry=${i}
              target=${r}
              reference=${a}
              direction=${s}
              count=${c}
              label=${`The image with ${m} of its pixels ${b}`}
            />
            ${!t.side&&x.layer}
          <//>
          ${x.map}
        </div>
        ${x.controls}
      </section>
      <section class="card test" aria-label="Test the map">
        <h2>Test the map</h2>
        ${i.orders(r)?u`<${Re}
                  chosen=${o}
                  set=${n}
                  series=${g}
                  flip=${f}
                  valueText=${`${p.name} ${S(l.values[p.slot])}`}
                />
                <${Io} chosen=${o} flip=${f} onGo=${()=>f!==null&&h(c,f)} />`:u`<p class="untested">
                This map holds NaN or infinity: it does not order the pixels, so there is nothing to test.
              </p>`}
        <${Do} chosen=${o} now=${l} ask=${he.measure&&(()=>Oo(o,t,n))} />
        <${En}
          classes=${e.watched}
          values=${l.values}
          measured=${l.measured}
          explained=${p.index}
          winner=${l.measured?d.top1[l.left]:null}
          others=${d.top1.some(_=>!e.info(_))}
          other=${l.measured?Po(o,l.left):null}
        />
        <p class="legend">
          <span><b>bold</b>: the explained class</span><span>✓: what the model says</span><span>line: without a change</span>
        </p>
      </section>
      ${x.facts}
    </div>`}function To(e,t){let n=O(e,t);return n.entry.orders(n.target)?n:O(e,{...t,count:0,direction:"deletion"})}function Po({bundle:e,curve:t},n){let o=t.top1[n];return e.info(o)?null:{index:o,name:e.className(o),probability:t.highest[n]}}var me=({bundle:e,explained:t})=>t.index!==e.prediction,No=e=>me(e)&&e.direction==="deletion"?null:on(e.curve,e.explained.index,e.direction);function zo(e){let{direction:t,explained:n,entry:o,target:i}=e;return o.orders(i)?t==="deletion"?`Drag along the curve to remove its most important pixels first: if the map is right, ${me(e)?`the probability of ${n.name} drops early`:"the model changes its mind early"}.`:`Drag along the curve to show only its most important pixels: if the map is right, ${me(e)?`the probability of ${n.name} rises early`:"the model recognizes the image early"}.`:""}function Eo({chosen:e}){let{bundle:t,entry:n,explained:o}=e,i=t.info(t.prediction),r=me(e);return u`<header class="intro">
    <h1>
      The model says <strong>${t.className(t.prediction)}</strong>${i&&u` <span class="muted">with ${S(i.probability)} probability</span>`}
    </h1>
    <p>
      ${n.isBaseline?u`<code>${n.method}</code> is a baseline: its map ignores the model. A map explains something only if
              it does better.`:u`The map shows where <code>${n.method}</code> finds the evidence
              for <b>${o.name}</b>${r&&` (${S(o.probability)})`}.`} ${zo(e)}
    </p>
  </header>`}function Fo({state:e,set:t}){return u`<div class="row controls">
    <${I}
      label="Map"
      value=${e.view}
      onChange=${n=>t({view:n})}
      options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"],["off","Off"]]}
    />
    <${U}
      label="Opacity"
      name="opacity"
      value=${e.opacity}
      min=${0}
      max=${1}
      step=${.05}
      text=${C(e.opacity)}
      onInput=${n=>t({opacity:n})}
    />
    <${Te} label="Side by side" checked=${e.side} onChange=${n=>t({side:n})} />
    ${e.zoom>1&&u`<button type="button" class="button" onClick=${()=>t({zoom:1,x:0,y:0})}>Reset zoom</button>`}
  </div>`}function Io({chosen:e,flip:t,onGo:n}){let{bundle:o,direction:i,curve:r,explained:a}=e,{name:s}=a,c=i==="deletion"?"Remove until the decision flips":`Add until the model says ${s}`;if(t===null){let h=me(e)?`The model says ${o.className(o.prediction)}, not ${s}: this map has no decision to flip. Removing its pixels should make ${s} less likely.`:`The model says ${s} at every measured point.`;return u`<p class="flip muted">
      ${i==="deletion"?h:`The model never says ${s} on this curve.`}
    </p>`}let d=r.counts.indexOf(t),p=o.className(r.top1[d]),[f,g]=[r.counts[Math.max(0,d-1)],t],l=`${C(f/o.pixels)} and ${C(g/o.pixels)}`;return u`<p class="flip">
    <button type="button" class="button primary" data-name="flip" data-count=${t} onClick=${n}>${c}</button>
    <span class="muted"
      >${d?`between ${oe(f)} and ${oe(g)} pixels (${l}), two measured points`:"before the first pixel"}${i==="deletion"&&`; then it says ${p}`}</span
    >
  </p>`}async function Oo({bundle:e,entry:t,target:n,direction:o,reference:i,count:r,explained:a},s,c){let d={image:s.image,method:e.entries.indexOf(t),class:a.index,direction:o,count:r},p=await he.measure?.({...d,reference:e.references[i].name});p&&t.addPoint(n,o,i,{count:r,...p}),c({})}function Do({chosen:{bundle:e,curve:t,explained:n},now:o,ask:i}){let r=c=>e.className(t.top1[c]),a=c=>C(t.counts[c]/e.pixels);if(!o.measured){let c=r(o.left)===r(o.right);return u`<p class="verdict">
      Between two measured points: ${n.name} about <b>${S(o.values[n.slot])}</b>.${" "}
      <span class="muted">
        Measured at ${a(o.left)} and ${a(o.right)}: ${c?r(o.left):`${r(o.left)}, then ${r(o.right)}`}.
      </span>
      ${i&&u`<button type="button" class="button" data-name="exact" onClick=${i}>Exact here</button>`}
    </p>`}let s=t.top1[o.left]!==e.prediction;return u`<p class=${`verdict ${s?"changed":""}`}>
    The model ${s?"now says":"says"} <b>${r(o.left)}</b> with <b>${S(t.highest[o.left])}</b>.
  </p>`}function Ro({bundle:e,curve:t,explained:n}){let o=e.watched.length;return e.watched.map(({name:r,slot:a,index:s})=>({name:r,color:K(a),x:t.counts,y:t.counts.map((c,d)=>t.probabilities[d*o+a]),strong:s===n.index})).sort((r,a)=>Number(r.strong)-Number(a.strong))}var gt=["extras.path","extras.objective"];function On({bundle:e,state:t,set:n}){let{target:o,view:i,explained:r}=O(e,t),a=e.entries.filter(x=>x.has(...gt)),s=a.includes(e.entries[t.method])?e.entries[t.method]:a[0],c=s.tensor("extras.path").shape[1]-1,d=Math.round(Math.min(c,Math.max(0,t.step))),p=s.has("extras.kept")?s.ofClass("extras.kept",o)[0]:null,[f,g]=W(!1);ne(()=>{if(!f)return;let x=setTimeout(()=>d<c?n({step:d+1}):g(!1),250);return()=>clearTimeout(x)},[f,d,c]);let l=v(()=>Array.from(s.ofClass("extras.objective",o)),[s,o]),h=l.filter(Number.isFinite),m=v(()=>[{name:"objective",color:"var(--series-0)",x:l.map((x,b)=>b),y:l,strong:!0}],[l]),$=()=>{!f&&d===c&&n({step:0}),g(!f)};return u`<header class="intro">
      <h1>How the map of <strong>${r.name}</strong> was refined</h1>
      <p>
        <code>${s.method}</code> moves the map by gradient steps, so that removing its top pixels lowers the
        probability sooner and adding them raises it sooner: its objective is insertion minus deletion. It is
        measured with masks and references of the method's own: compare it from step to step, not with the scores
        of other screens. Drag along the curve to see the map after each step.${" "}
        ${p!==null&&`The map ${p?`after ${p===1?"1 step":`${p} steps`}`:"before the first step"} is kept: it is the better one under hard masks.`}
      </p>
    </header>
    <${ie} entries=${a} entry=${s} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${T}
          title=${`Step ${d} of ${c}`}
          note=${Number.isFinite(l[d])?`objective ${Z(l[d])}`:"objective not measured"}
          width=${e.width}
          height=${e.height}
          view=${i}
          onView=${n}
        >
          <${F} bundle=${e} />
          <${P}
            name="film"
            width=${e.width}
            height=${e.height}
            deps=${[s,o,d]}
            label=${`Map after ${d} steps`}
            draw=${x=>q(x,dn(s,o,d),.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Objective">
        <h2>Objective</h2>
        <${re}
          series=${m}
          position=${d}
          max=${c}
          range=${jo(h)}
          label="Objective by step. Drag to choose a step."
          axis="step"
          marker=${p===null?null:{at:p,text:"kept",good:!0}}
          ticks=${[0,Math.round(c/2),c]}
          formatX=${String}
          formatY=${x=>Z(x,Uo(h))}
          onScrub=${x=>n({step:Math.round(x)})}
        />
        <${U}
          label="Step"
          name="step"
          value=${d}
          min=${0}
          max=${c}
          step=${1}
          text=${`${d} of ${c}`}
          onInput=${x=>n({step:x})}
        />
        <button type="button" class="button primary" onClick=${$}>${f?"Pause":"Play"}</button>
      </section>
    </div>`}var Uo=e=>Math.max(...e)-Math.min(...e)<.05?3:2;function jo(e){if(!e.length)return[0,1];let[t,n]=[Math.min(...e),Math.max(...e)],o=.1*(n-t||1);return[t-o,n+o]}var Lo=[{name:"explain",title:"Explain",screen:In,offered:()=>!0},{name:"compare",title:"Compare",screen:bn,offered:e=>e.entries.length>1},{name:"contrast",title:"A or B",screen:Tn,offered:e=>e.targets.length>1&&e.entries.some(t=>t.contrasts)},{name:"density",title:"Density",screen:zn,offered:e=>e.entries.some(t=>t.has(...ft))},{name:"film",title:"Film",screen:On,offered:e=>e.entries.some(t=>t.has(...gt))}];function Bo(e){let[t,n]=W(e.state);return ne(()=>{let o=()=>n(e.state);return e.listeners.push(o),o(),()=>{e.listeners.splice(e.listeners.indexOf(o),1)}},[e]),t}function Dn({bundles:e,store:t,brand:n=Wo}){let o=Bo(t),i=e[o.image]===void 0?0:o.image,r=e[i],a=v(()=>Lo.filter(d=>r&&d.offered(r)),[r]),s=a.find(d=>d.name===o.screen)??a[0],c=v(()=>r&&u`<nav class="top" aria-label="Explorer">
          ${n}
          ${(a.length>1||!n)&&u`<${Ho} screens=${a} current=${s.name} onChange=${d=>t.go({screen:d})} />`}
          <span class="file" title=${r.name}>${r.name} · ${r.model}</span>
        </nav>
        ${e.length>1&&u`<${qo} bundles=${e} current=${i} onChange=${d=>t.set({image:d,count:0,zoom:1,x:0,y:0})} />`}`,[e,i,r,s,t,n]);return r?u`${c}
    <div class="screen" role="region" aria-label=${s.title} data-screen=${s.name}>
      <${s.screen} key=${i} bundle=${r} state=${o} set=${t.set} />
    </div>`:u`<p class="intro">Reading the image…</p>`}var Wo=u`<span class="brand">seewhy</span>`;function Ho({screens:e,current:t,onChange:n}){return u`<div class="tabs" role="tablist" onKeyDown=${i=>{let r={ArrowLeft:-1,ArrowRight:1}[i.key];if(!r)return;i.preventDefault();let s=(e.findIndex(c=>c.name===t)+r+e.length)%e.length;n(e[s].name),i.currentTarget.children[s].focus()}}>
    ${e.map(({name:i,title:r})=>u`<button
          type="button"
          role="tab"
          key=${i}
          aria-selected=${i===t}
          tabindex=${i===t?0:-1}
          onClick=${()=>n(i)}
        >
          ${r}
        </button>`)}
  </div>`}function qo({bundles:e,current:t,onChange:n}){return u`<div class="strip" role="group" aria-label="Images">
    ${e.map((o,i)=>u`<button type="button" key=${i} aria-pressed=${i===t} onClick=${()=>n(i)}>
          ${o?u`<${P} width=${o.width} height=${o.height} deps=${[o]} draw=${r=>r.set(o.image)} />`:u`<span class="blank"></span>`}
          <span class="name">
            <b>${o?o.className(o.prediction):"…"}</b>
            ${o&&u`<i>${S(o.info(o.prediction)?.probability??0)}</i>`}
          </span>
        </button>`)}
  </div>`}function Xo(e,t,n){let o=new URLSearchParams(e.replace(/^[#?]/,"")),i=Object.entries(t).map(([r,a])=>[r,Ko(o.get(r),a,n[r])]);return Object.fromEntries(i)}function Ko(e,t,n){if(e===null)return t;if(typeof t=="boolean")return e==="1";if(typeof t=="number"){let[o,i]=n??[-1/0,1/0];return e.trim()&&Number.isFinite(Number(e))?Math.min(i,Math.max(o,Number(e))):t}return n&&!n.includes(e)?t:e}function Vo(e,t){let n=new URLSearchParams;for(let[o,i]of Object.entries(t)){let r=e[o];r!==i&&n.set(o,typeof r=="boolean"?r?"1":"0":String(r))}return n.toString()}var Be=class{constructor(t,n,o){this.defaults=t,this.part=o;let i=()=>Xo(o==="fragment"?location.hash:location.search,t,n);this.state=i(),this.listeners=[],this.pending=0,addEventListener(o==="fragment"?"hashchange":"popstate",()=>this.change(i()))}set=t=>{this.change({...this.state,...t}),clearTimeout(this.pending),this.pending=setTimeout(()=>this.write(),200)};go=t=>{this.write(),this.change({...this.state,...t}),this.write("pushState")};change(t){this.state=t,this.listeners.forEach(n=>n())}write(t="replaceState"){clearTimeout(this.pending);let n=Vo(this.state,this.defaults),o=this.part==="query"?n&&`?${n}`:location.search,i=this.part==="fragment"?n&&`#${n}`:location.hash;try{history[t](null,"",location.pathname+o+i)}catch{}}};var Go={image:0,screen:"explain",method:0,class:-1,direction:"deletion",reference:"",count:0,view:"magnitude",side:!0,opacity:.85,zoom:1,x:0,y:0,show:"both",sort:"ins_del",descending:!0,a:-1,b:-1,temperatures:"1, 5, 100",mode:"multiply",scaled:!1,margin:0,mix:.5,gamma:0,step:0},Yo={screen:["explain","compare","contrast","density","film"],direction:["deletion","insertion"],view:["magnitude","signed","contour","off"],show:["image","map","both"],mode:["multiply","divide"],zoom:[1,16],opacity:[0,1],mix:[0,1],gamma:[0,1],margin:[0,.5]},Rn=()=>new Be(Go,Yo,"fragment");var Un=`:root{color-scheme:light dark;--page: #f7f7f5;--card: #ffffff;--ink: #1b1d21;--muted: #646b75;--line: #dfe1e5;--soft: #eef0f2;--accent: #1f5fbf;--on-accent: #ffffff;--bad: #b3261e;--focus: #1f5fbf;--frame: #e4e6e9;--raised: #ffffff;--class-a: #b95a00;--class-b: #0068a5;--class-shared: #0f7a50;--series-0: #c25e00;--series-1: #0072b2;--series-2: #117733;--series-3: #aa3377;--series-4: #1b8098;--series-5: #5b4bb5;--series-6: #857000;--series-7: #6b7280}@media(prefers-color-scheme:dark){:root{--page: #14161a;--card: #1c1f24;--ink: #e9ebee;--muted: #a0a7b2;--line: #32363d;--soft: #262a30;--accent: #7fb2ff;--on-accent: #0d1420;--bad: #ff9a92;--focus: #9cc3ff;--frame: #0d0f12;--raised: #3d434c;--class-a: #ffa14a;--class-b: #5fb8f7;--class-shared: #5fce9a;--series-0: #ffa14a;--series-1: #5fb8f7;--series-2: #63cf8a;--series-3: #f08cc5;--series-4: #74d0e8;--series-5: #b0a4ff;--series-6: #dccb55;--series-7: #9aa2ad}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 -apple-system,Segoe UI,Roboto,Helvetica Neue,Liberation Sans,Arial,system-ui,sans-serif;-webkit-text-size-adjust:100%}#explorer{max-width:1320px;margin:0 auto;padding:0 24px 48px}h1,h2,p,dl,dd,figure,ul{margin:0;padding:0}h1{font-size:26px;line-height:1.25;font-weight:500;letter-spacing:-.01em;text-wrap:balance}h1 strong{font-weight:700}h2{font-size:15px;font-weight:650;margin-bottom:12px}.muted{color:var(--muted);font-weight:400}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}.intro code{background:var(--soft);border-radius:4px;padding:1px 5px}button,select,input{font:inherit;color:inherit}button{cursor:pointer}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}.top{display:flex;align-items:center;gap:24px;min-height:56px;border-bottom:1px solid var(--line)}.brand{font-weight:700;letter-spacing:-.02em;font-size:17px}.tabs{display:flex;align-self:stretch;gap:4px;overflow-x:auto;scrollbar-width:none}.tabs button{border:0;background:none;padding:0 12px;color:var(--muted);border-bottom:2px solid transparent;border-top:2px solid transparent;white-space:nowrap}.tabs button:hover{color:var(--ink)}.tabs button[aria-selected=true]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}.tabs button:focus-visible{outline-offset:-4px}.file{margin-left:auto;color:var(--muted);font-size:13px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip{display:flex;gap:8px;overflow-x:auto;padding:12px 2px 4px}.strip button{border:1px solid transparent;border-radius:8px;background:none;padding:4px;width:104px;flex:none;text-align:left;font-size:12px;color:var(--muted)}.strip button[aria-pressed=true]{border-color:var(--accent);color:var(--ink);background:var(--card)}.strip canvas,.strip .blank{display:block;width:100%;aspect-ratio:1;border-radius:5px;background:var(--soft);object-fit:cover}.strip .name{display:flex;gap:4px}.strip .name b{font-weight:inherit;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip .name i{font-style:normal;margin-left:auto;white-space:nowrap}.intro{padding:22px 0 14px;max-width:860px}.intro p{margin-top:8px;color:var(--muted);text-wrap:pretty}.intro p b,.intro p code{color:var(--ink)}.choices{display:flex;flex-wrap:wrap;gap:12px 28px;padding-bottom:16px;align-items:flex-start}.field{display:flex;flex-direction:column;gap:5px;min-width:0}.label{font-size:12px;color:var(--muted);display:flex;justify-content:space-between;gap:8px}.label output{color:var(--ink);font-variant-numeric:tabular-nums}.chips{display:flex;flex-wrap:wrap;gap:6px}b,strong,.name,.title,.chip,.job,.file{unicode-bidi:isolate}.chip{display:inline-flex;align-items:center;gap:7px;max-width:100%;overflow-wrap:anywhere;text-align:left;border:1px solid var(--line);background:var(--card);border-radius:999px;padding:4px 12px;min-height:34px}.chip i{width:9px;height:9px;border-radius:50%}.chip span{color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}.chip:hover{border-color:var(--muted)}.chip[aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.segmented{display:inline-flex;background:var(--soft);border-radius:8px;padding:3px;width:fit-content;max-width:100%;overflow-x:auto}.segmented button{border:0;background:none;padding:3px 11px;min-height:30px;border-radius:6px;color:var(--muted);white-space:nowrap;font-size:14px}.segmented button:hover{color:var(--ink)}.segmented button[aria-pressed=true]{background:var(--raised);color:var(--ink);box-shadow:0 1px 2px #0003}.segmented button:focus-visible{outline-offset:-2px}.row{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:flex-end}.button{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 14px;min-height:36px}.button:hover{border-color:var(--muted)}.button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}.button.primary:hover{filter:brightness(1.07)}select,input[type=text]{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 10px;min-height:36px;min-width:120px}input[aria-invalid=true]{border-color:var(--bad)}.error{color:var(--bad);font-size:13px}.check{display:flex;align-items:center;gap:8px;min-height:36px}.check input{width:17px;height:17px;accent-color:var(--accent);flex:none}input[type=range]{appearance:none;-webkit-appearance:none;width:100%;height:28px;background:none;margin:0;cursor:pointer;touch-action:pan-y}input[type=range]::-webkit-slider-runnable-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-moz-range-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-webkit-slider-thumb{-webkit-appearance:none;width:20px;height:20px;margin-top:-7.5px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}input[type=range]::-moz-range-thumb{width:15px;height:15px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}.slider{min-width:150px;flex:1;gap:2px}.card>.slider{margin:14px 0 6px}.ends{display:flex;justify-content:space-between;font-size:13px;color:var(--muted)}.card,.panel,.intro,.choices,.bars li,.verdict,.legend{contain:layout}.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;min-width:0}.explain{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:20px;align-items:start}.explain.single,.contrast{grid-template-columns:minmax(0,clamp(320px,58vh,620px)) minmax(0,1fr);gap:28px}.stage{min-width:0}.test{grid-row:span 2}.panels{display:grid;gap:14px}.panels.two{grid-template-columns:1fr 1fr}.panels.one{max-width:560px}.controls{padding-top:14px;align-items:center}.controls .field{flex:none}.controls .slider{max-width:190px}.panel{min-width:0}.panel figcaption{display:flex;justify-content:space-between;align-items:baseline;gap:8px;font-size:13px;padding-bottom:6px;min-height:26px}.panel .title{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.panel .note{color:var(--muted);font-variant-numeric:tabular-nums;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.frame{position:relative;overflow:hidden;contain:layout paint;border-radius:8px;background:var(--frame);touch-action:pan-y;width:100%}.frame.zoomed{touch-action:none;cursor:grab}.frame.zoomed:active{cursor:grabbing}.frame:focus-visible{outline-offset:2px;border-radius:8px}.layers{position:absolute;inset:0;transform-origin:0 0}.layers canvas{position:absolute;inset:0;width:100%;height:100%}.layers.sharp canvas{image-rendering:pixelated}.key{display:inline-flex;gap:6px;align-items:center;color:var(--muted);font-size:12px}.ramp{width:44px;height:8px;border-radius:4px;background:linear-gradient(90deg,#1b0c41,#781c6d,#bc3754,#ed6925,#fbb61a,#fcffa4)}.ramp.signed{background:linear-gradient(90deg,#2c70c8,var(--soft),#e43c2a)}.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}.swatch.class-a{background:#e47400}.swatch.class-b{background:#0072b2}.swatch.class-shared{background:#118c5a}strong.class-a,b.class-a{color:var(--class-a)}strong.class-b,b.class-b{color:var(--class-b)}.chart{position:relative;width:100%;overflow:hidden;margin-top:10px}.chart svg{display:block}.chart .scrubbable{cursor:ew-resize;touch-action:pan-y;user-select:none}.chart .grid{stroke:var(--line);stroke-width:1}.chart .tick{fill:var(--muted);font-size:11px}.series polyline{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.32;stroke-linejoin:round}.series circle{fill:currentColor;opacity:.75}.series.strong polyline{stroke-width:2.2;opacity:.45}.series.strong circle{opacity:1}.series.plain polyline{opacity:1}.series.dashed polyline{stroke-dasharray:5 4;opacity:.7}.chart .marker{stroke:var(--bad);stroke-dasharray:3 3}.chart .marker.good{stroke:var(--class-shared)}.chart .marker-text{fill:var(--bad);font-size:11px;paint-order:stroke;stroke:var(--card);stroke-width:4px}.chart .marker-text.good{fill:var(--class-shared)}.cursor{position:absolute;left:-.75px;width:1.5px;background:var(--ink);pointer-events:none;will-change:transform}.cursor:after{content:"";position:absolute;bottom:-8px;left:-7.25px;width:16px;height:16px;border-radius:50%;background:var(--ink);border:2.5px solid var(--card)}.slide{display:flex;align-items:center;gap:6px;margin-top:6px}.step{border:1px solid var(--line);background:var(--card);border-radius:8px;width:34px;height:34px;flex:none;font-size:18px;line-height:1}.step:disabled{opacity:.4;cursor:default}.legend{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--muted);padding-top:4px}.legend .dot{display:inline-block;width:7px;height:7px;border-radius:50%;background:var(--ink);margin-right:5px}.legend .line{display:inline-block;width:18px;height:2px;background:var(--muted);opacity:.6;margin-right:5px;vertical-align:middle}.legend .line.now{background:var(--series-0);opacity:1}.legend .count{margin-left:auto;font-variant-numeric:tabular-nums}.flip{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin-top:14px;font-size:13px}.verdict .button{margin-left:6px;min-height:30px;padding:2px 10px;font-size:13px}.verdict{margin-top:16px;min-height:46px}.verdict.changed b:first-of-type{color:var(--bad)}.bars{list-style:none;display:grid;gap:5px;margin-top:6px}.bars li{display:grid;grid-template-columns:minmax(70px,130px) 1fr 54px;gap:10px;align-items:center;font-size:13px}.bars .name{color:var(--ink);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.bars .explained .name{font-weight:650}.bars .winner .name:after{content:" \\2713"}.bars .value{color:var(--ink);text-align:right;font-variant-numeric:tabular-nums}.bars .track{position:relative;height:12px;border-radius:4px;background:var(--soft);overflow:hidden}.bars .track i{position:absolute;inset:0;background:currentColor;transform-origin:0 0}.bars .track b{position:absolute;top:0;bottom:0;width:2px;margin-left:-2px;background:var(--ink);opacity:.55}.bars.between .track i{opacity:.5}.bars.between .value:before{content:"\\2248  ";color:var(--muted)}.facts{font-size:14px}.facts dl{display:grid;gap:4px;margin:10px 0 14px}.facts dl>div{display:grid;grid-template-columns:140px 1fr;gap:12px}.facts dt{color:var(--muted)}.facts dd{overflow-wrap:anywhere}.facts .bad{color:var(--bad)}details{margin-top:10px}summary{cursor:pointer;color:var(--muted);width:fit-content}pre{background:var(--soft);border-radius:8px;padding:12px;overflow-x:auto;margin:8px 0 0;line-height:1.45}.compare{display:grid;grid-template-columns:minmax(0,4fr) minmax(0,8fr);gap:20px;align-items:start}.column{display:grid;gap:20px;align-content:start;min-width:0}.methods{display:grid;grid-template-columns:repeat(var(--columns),minmax(0,1fr));gap:16px 12px;min-width:0}.link{border:0;background:none;padding:0;font-weight:inherit}.link:hover{text-decoration:underline}.method{display:grid;gap:4px;align-content:start;min-width:0}.disagreement .panel{max-width:340px;margin-top:12px}.dock{display:none}.names{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;margin-top:10px}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:7px 8px;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left;font-weight:500;padding-left:0}thead th{font-weight:500;color:var(--muted)}thead button{border:0;background:none;padding:4px 0;font-size:13px;color:inherit}thead [aria-sort=ascending] button,thead [aria-sort=descending] button{color:var(--ink);font-weight:600}td.best{font-weight:700}.compare .muted,.settings .muted{font-size:13px;margin-top:10px}.contrast{display:grid;align-items:start}.contrast .slider{margin-top:12px}.parts{display:grid;grid-template-columns:1fr 1fr;gap:16px;min-width:0}.settings{display:grid;gap:12px;align-content:start;padding:14px 16px}.settings h2{margin:0}.settings input[type=text]{width:100%;min-width:0}.settings .check{min-height:0;font-size:13px;align-items:flex-start}@media(max-width:1150px){.panels.two figcaption{flex-direction:column;gap:0;line-height:1.35}}@media(max-width:900px){#explorer{padding:0 14px 40px}.compare,.contrast{grid-template-columns:minmax(0,1fr);gap:14px}.contrast .stage>*{max-width:none}.explain,.explain.single{display:flex;flex-direction:column;align-items:stretch;gap:14px}.explain .stage{display:contents}.explain .panels{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;max-height:60vh}.controls{order:1;padding:0}.explain .stage>.panel{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;width:min(100%,55vh);align-self:center}.column{display:contents}.methods{order:-1}.scores{order:1}.disagreement{order:2}.dock{order:3}.dock{display:block;position:sticky;bottom:0;z-index:1;margin:0 -14px;padding:8px 14px;background:var(--page);border-top:1px solid var(--line)}.dock .slide{margin:0}.facts{order:2}.top{flex-wrap:wrap;gap:0 16px;padding-top:8px}.tabs{order:3;width:100%;min-height:44px}.tabs button:first-child{padding-left:0}}@media(max-width:520px){h1{font-size:21px}.intro{padding:14px 0 10px}.card{padding:14px}.panels{gap:8px}.panel figcaption{flex-direction:column;gap:0;line-height:1.35}.panel .note,.panel .title{max-width:100%}.methods{grid-template-columns:1fr 1fr;gap:10px}.scores table,.scores thead button{font-size:12px}.scores th,.scores td{padding:6px 3px}.scores thead th{white-space:normal;vertical-align:bottom}.strip button{width:76px;font-size:11px}.tabs button{padding:0 8px}.zooms{display:none}.parts{gap:10px}.settings{grid-column:span 2}.facts dl>div{grid-template-columns:110px 1fr}.choices{gap:10px 20px}.chip,.segmented button,.step{min-height:40px}}@media(prefers-reduced-motion:no-preference){.button,.chip,.segmented button{transition:border-color .12s,background .12s,color .12s}}
`;var jn=new CSSStyleSheet;jn.replaceSync(Un);document.adoptedStyleSheets=[...document.adoptedStyleSheets,jn];var _t=document.getElementById("explorer"),We=[...document.querySelectorAll("script[data-bundle]")].map(e=>e.textContent??""),$t=We.map(()=>null),He=Rn();Zo().catch(e=>{_t.textContent=`This file cannot be read (${e.message}). If it is damaged, copy or write it again; if this browser is old, use another one.`});async function Zo(){let e=We[He.state.image]===void 0?0:He.state.image;for(let t of[e,...We.keys()].filter((n,o,i)=>i.indexOf(n)===o))$t[t]=await $n(We[t]),t===e&&(_t.textContent=""),Nt(u`<${Dn} bundles=${[...$t]} store=${He} />`,_t),await new Promise(n=>setTimeout(n))}Object.assign(globalThis,{seewhyExplorer:{bundles:$t,store:He,host:he,contrastClasses:mt,densityMap:Le}});
